"""Who is told what, and when: subscriptions against plain questions before and after."""

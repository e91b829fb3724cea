"""The board: what each agent believes, kept, reasoned on and told to whoever asked."""

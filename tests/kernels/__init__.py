"""Compiled loops in the cache: never stale, whole or not at all, and not kept for ever."""

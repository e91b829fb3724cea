"""Likelihoods: how sure facts are, against closed forms, and who asks for them.

Runs alone: a likelihood is answered from the samples that 0.7 s allow.
"""

"""SPARQL in processes beside: each a replica of the board, killed and replaced when it overruns."""

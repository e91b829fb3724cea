"""SPARQL over HTTP, as the recommendations of the W3C have it, on real servers."""

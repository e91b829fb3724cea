"""sparql_http."""

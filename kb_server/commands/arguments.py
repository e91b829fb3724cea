"""What several commands are told by their lines, in the same words."""

import argparse

__all__ = ["add_at", "add_models", "add_patterns"]


def add_patterns(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("patterns", nargs="+", metavar="PATTERN", help="three terms in one word")


def add_models(parser: "argparse._ActionsContainer") -> None:
    """Models of which there may be several; none is the robot's own."""
    parser.add_argument(
        "--model", action="append", metavar="ID", help="whose beliefs (myself); may be repeated"
    )


def add_at(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--at", metavar="WHEN", help="a moment of the past: a seq or an ISO time")

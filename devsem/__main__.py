"""`python -m devsem`."""

from devsem.cli import main

main()

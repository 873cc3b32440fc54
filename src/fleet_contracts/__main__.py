"""`python -m fleet_contracts` is `fleet`."""

from fleet_contracts.cli.main import main

main()

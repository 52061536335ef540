"""`python -m validation.models`."""

from validation.models import main

main()

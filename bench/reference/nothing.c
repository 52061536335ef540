/** Does nothing. */
void nothing(void);

void nothing(void)
{
}

// The one call is all this thread is for.
new Intl.NumberFormat().format(0)
close()

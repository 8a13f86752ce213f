postMessage(new Intl.NumberFormat().format(0))

process.exit(3)

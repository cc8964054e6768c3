"""Other toolkits, driven so that they can be measured beside this one."""

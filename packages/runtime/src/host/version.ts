export const VERSION = '0.24.1'

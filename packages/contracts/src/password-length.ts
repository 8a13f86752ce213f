/** No setting allows shorter passwords. */
export const MIN_PASSWORD_LENGTH = 8

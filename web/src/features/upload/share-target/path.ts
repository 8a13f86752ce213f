/** Where the system sends what people share with the installed site. */
export const shareTargetPath = '/share-target'

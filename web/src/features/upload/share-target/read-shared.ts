/** What another app handed over. */
export interface Shared {
  files: File[]
  text: string
}

/** Reads the form that the system posts; its fields are named in the web manifest. */
export function readShared(form: FormData): Shared {
  const texts = ['title', 'text', 'url'].flatMap((name) => {
    const value = form.get(name)
    return typeof value === 'string' && value.trim() !== '' ? [value] : []
  })
  return {
    files: form
      .getAll('files')
      .filter((file): file is File => file instanceof File && file.name !== ''),
    // Some systems send the same in more than one field.
    text: [...new Set(texts)].join('\n'),
  }
}

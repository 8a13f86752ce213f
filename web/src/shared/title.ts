import { createContext } from 'react'

/** What stands in the tab's title in place of the page's name; `null` for that name. */
export const TitleContext = createContext<string | null>(null)

/** Takes the name of the page that has come. */
export const PageNewsContext = createContext<(title: string) => void>(() => {})

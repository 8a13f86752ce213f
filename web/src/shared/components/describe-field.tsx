import { InputWrapperContext } from '@mantine/core'
import { type ReactNode, use } from 'react'

/**
 * For `inputContainer` of Mantine's fields: says that the elements with these ids describe the field
 * as well. The fields drop `aria-describedby`, in favour of their own description and error.
 */
export function describeField(ids: string) {
  return (field: ReactNode) => <Described by={ids}>{field}</Described>
}

function Described({ by, children }: { by: string; children: ReactNode }) {
  const wrapper = use(InputWrapperContext)
  const describedBy = wrapper.describedBy === undefined ? by : `${by} ${wrapper.describedBy}`
  return <InputWrapperContext value={{ ...wrapper, describedBy }}>{children}</InputWrapperContext>
}

import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import '@mantine/core/styles/PasswordInput.layer.css'

interface PasswordFieldProps extends Omit<PasswordInputProps, 'descriptionProps'> {
  /** The id of what describes it elsewhere on the page. */
  describedBy?: string
}

/** Mantine's, which does not say by itself that it is invalid and takes no `aria-describedby`. */
export function PasswordField({ describedBy, ...input }: PasswordFieldProps) {
  return (
    <PasswordInput
      aria-invalid={input.error ? true : undefined}
      {...input}
      // Tied to the field, and left out where it would be drawn.
      {...(describedBy !== undefined && {
        description: true,
        descriptionProps: { id: describedBy },
        inputWrapperOrder: ['label', 'input', 'error'],
      })}
    />
  )
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { hasCode } from '../../shared/api/api-error.ts'
import { useErrorMessage } from '../../shared/api/error-message.ts'
import { notifySuccess } from '../../shared/notify.ts'

export const isAboutField = (error: unknown) => hasCode(error, 'username_taken', 'email_taken')

interface UserMutation<V> {
  run: (values: V) => Promise<void>
  /** Said when it worked. */
  done: string
  onClose: () => void
  onFieldError?: (field: 'username' | 'email', message: string) => void
}

/** A change of an account: closes its dialog and shows the list as it is then. */
export function useUserMutation<V>({ run, done, onClose, onFieldError }: UserMutation<V>) {
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()
  return useMutation({
    mutationFn: run,
    onSuccess: async () => {
      onClose()
      notifySuccess(done)
      // With an account go its shares.
      await Promise.all(
        [['users'], ['shares']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      )
    },
    onError: (error) => {
      if (hasCode(error, 'username_taken')) onFieldError?.('username', errorMessage(error))
      if (hasCode(error, 'email_taken')) onFieldError?.('email', errorMessage(error))
    },
  })
}

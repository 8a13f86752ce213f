import { useMutation, useQuery } from '@tanstack/react-query'
import { hasCode } from '../../shared/api/api-error.ts'
import { useErrorMessage } from '../../shared/api/error-message.ts'
import { fetchOwnUser } from '../../shared/api/fetch-own-user.ts'
import { useHttp } from '../../shared/api/http-context.ts'
import { queryKeys } from '../../shared/query-keys.ts'
import { requestPasskey } from './api/passkey-sign-in.ts'
import { signInTotp } from './api/sign-in-totp.ts'
import { useLanding } from './use-landing.ts'
import { usePasskeySignIn } from './use-passkey-sign-in.ts'

/** What the second step of this login token takes, and trying it. */
export function useSecondStep(loginToken: string) {
  const http = useHttp()
  const { landing, enter } = useLanding()
  const errorMessage = useErrorMessage()
  const passkey = usePasskeySignIn({ loginToken })
  const ways = useQuery({
    queryKey: queryKeys.secondStep(loginToken),
    queryFn: () => requestPasskey(http, loginToken),
    retry: false,
  })
  const submit = useMutation({
    mutationFn: async (totp: string) => {
      await signInTotp(http, { totp, loginToken })
      return fetchOwnUser(http)
    },
    onSuccess: enter,
  })
  const problem = submit.error ?? passkey.error ?? ways.error
  return {
    landing,
    isPending: ways.isPending,
    // The token of the first step is spent: by time, by use, or by too many wrong codes.
    isOver: hasCode(problem, 'unauthorized', 'token_expired', 'totp_not_enabled'),
    /** Codes work where nobody could be asked. */
    takesCode: ways.data?.hasTotp ?? true,
    hasPasskey: ways.data !== undefined && ways.data.options !== null,
    passkey,
    submitCode: submit.mutate,
    reset: submit.reset,
    form: {
      error: submit.error ? errorMessage(submit.error) : null,
      isBusy: submit.isPending || submit.isSuccess,
      onChange: () => {
        if (submit.isError) submit.reset()
      },
    },
  }
}

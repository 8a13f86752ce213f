import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { fetchOwnUser } from '../../shared/api/fetch-own-user.ts'
import { useHttp } from '../../shared/api/http-context.ts'
import { hasPasskeysHere, isCancelled } from '../../shared/passkeys/passkeys-here.ts'
import { useSession } from '../../shared/session/session.ts'
import { requestPasskey, signInPasskey } from './api/passkey-sign-in.ts'
import { useLanding } from './use-landing.ts'

interface Options {
  /** Of the first step; without it the passkey alone signs in. */
  loginToken?: string
}

/** Signing in by a passkey, where this browser can. */
export function usePasskeySignIn({ loginToken }: Options = {}) {
  const http = useHttp()
  const { settings } = useSession()
  const { enter } = useLanding()
  const isOffered = hasPasskeysHere(settings)

  async function ask(useBrowserAutofill: boolean) {
    const [{ startAuthentication }, { options }] = await Promise.all([
      import('@simplewebauthn/browser'),
      requestPasskey(http, loginToken),
    ])
    if (options === null) return null
    const passkey = await startAuthentication({
      optionsJSON: options,
      useBrowserAutofill,
    })
    await signInPasskey(http, { passkey, loginToken } as Parameters<typeof signInPasskey>[1])
    return fetchOwnUser(http)
  }

  const submit = useMutation({
    mutationFn: async ({ fromField }: { fromField: boolean }) => {
      try {
        return await ask(fromField)
      } catch (error) {
        if (isCancelled(error)) return null
        throw error
      }
    },
    onSuccess: (user) => {
      if (user) enter(user)
    },
  })

  // In the list that the browser shows for the name: it waits there until somebody picks one.
  const offerInField = useEffectEvent(async () => {
    if (!isOffered || loginToken !== undefined) return
    const { browserSupportsWebAuthnAutofill } = await import('@simplewebauthn/browser')
    if (await browserSupportsWebAuthnAutofill()) submit.mutate({ fromField: true })
  })
  useEffect(() => {
    void offerInField()
    return () => {
      void import('@simplewebauthn/browser').then(({ WebAuthnAbortService }) =>
        WebAuthnAbortService.cancelCeremony(),
      )
    }
  }, [])

  return {
    isOffered,
    error: submit.error,
    isBusy: submit.isPending && !submit.variables.fromField,
    signIn: () => submit.mutate({ fromField: false }),
    reset: submit.reset,
  }
}

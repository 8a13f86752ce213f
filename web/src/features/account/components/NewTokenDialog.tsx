import { Alert, Button, Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { type CreatedToken, tokenScopes } from '@floe/contracts'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { DialogFoot } from '../../../shared/components/DialogFoot.tsx'
import { useFormRules } from '../../../shared/form-rules.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { useSession } from '../../../shared/session/session.ts'
import { scopeTexts } from '../../../shared/tokens/scope-texts.ts'
import { createToken } from '../api/create-token.ts'
import { findWrongNetwork, firstValues, type TokenValues, toNewToken } from '../token-values.ts'
import { useDurations } from '../use-durations.ts'
import { MadeTokenDialog } from './MadeTokenDialog.tsx'
import { TokenLimits } from './TokenLimits.tsx'

const expiries = ['7-days', '30-days', '90-days', '1-year', 'never']
const MAX_NAME_LENGTH = 100

/** Asks what a new token may do, and shows it once it is made. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<CreatedToken | null>(null)
  if (made) return <MadeTokenDialog made={made} onClose={onClose} />
  return <TokenForm onMade={setMade} onClose={onClose} />
}

function TokenForm({
  onMade,
  onClose,
}: {
  onMade: (made: CreatedToken) => void
  onClose: () => void
}) {
  const { t } = useTranslation()
  const http = useHttp()
  const rules = useFormRules()
  const durations = useDurations()
  const errorMessage = useErrorMessage()
  const queryClient = useQueryClient()
  const form = useForm<TokenValues>({
    initialValues: firstValues,
    validate: {
      name: rules.required,
      scopes: (scopes) => (scopes.length === 0 ? t('account.tokens.scopesMissing') : null),
      networks: (text) => {
        const network = findWrongNetwork(text)
        return network === null ? null : t('account.tokens.networkWrong', { network })
      },
    },
  })
  const create = useMutation({
    mutationFn: (values: TokenValues) => createToken(http, toNewToken(values)),
    onSuccess: async (made) => {
      onMade(made)
      await queryClient.invalidateQueries({ queryKey: queryKeys.tokens(null) })
    },
  })

  return (
    <Dialog opened onClose={onClose} title={t('account.tokens.create')} size="lg">
      <form noValidate onSubmit={form.onSubmit((values) => create.mutate(values))}>
        <Stack gap="md">
          <TextInput
            label={t('share.fields.name')}
            description={t('account.tokens.nameHint')}
            autoComplete="off"
            maxLength={MAX_NAME_LENGTH}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Scopes {...form.getInputProps('scopes')} />
          <NativeSelect
            label={t('account.tokens.validity')}
            data={expiries.map((value) => ({ value, label: durations(value) }))}
            {...form.getInputProps('expiresIn')}
          />
          <TokenLimits form={form} />
          {create.isError && (
            <Alert color="red" role="alert">
              {errorMessage(create.error)}
            </Alert>
          )}
          <DialogFoot>
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {t('account.tokens.submit')}
            </Button>
          </DialogFoot>
        </Stack>
      </form>
    </Dialog>
  )
}

interface ScopesProps {
  value?: string[]
  error?: string
  onChange?: (scopes: string[]) => void
}

function Scopes(input: ScopesProps) {
  const { t } = useTranslation()
  const { user } = useSession()
  const offered = tokenScopes.filter((scope) => user?.isAdmin || !scope.startsWith('admin:'))
  return (
    <Checkbox.Group label={t('account.tokens.scopes')} {...input}>
      <Stack gap="sm" mt="xs">
        {offered.map((scope) => (
          <Checkbox key={scope} value={scope} label={scope} description={t(scopeTexts[scope])} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

import { Text } from '@mantine/core'
import type { SocialProvider } from '@floe/contracts'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../../shared/components/CopyField.tsx'
import { apiPaths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/session.ts'
import { providerNames } from '../../../shared/social/provider-names.ts'
import { ProviderIcon } from '../../../shared/social/ProviderIcon.tsx'
import rows from './ConfigRow.module.css'
import classes from './ProviderGroup.module.css'
import { TryProvider } from './TryProvider.tsx'

/** What concerns one provider, with the address that has to be registered there. */
export function ProviderGroup({
  provider,
  isOpen,
  children: [enabled, ...others],
}: {
  provider: SocialProvider
  /** Otherwise there is only the switch that turns it on. */
  isOpen: boolean
  children: ReactNode[]
}) {
  const { t } = useTranslation()
  const { settings } = useSession()
  const id = useId()
  const name = providerNames[provider]
  return (
    <div role="group" aria-labelledby={id}>
      <h2 className={classes.head} id={id}>
        <ProviderIcon provider={provider} />
        {name}
      </h2>
      {enabled}
      {isOpen && (
        <>
          {others}
          <div className={rows.row} data-wide>
            <div>
              <Text fw={600} size="sm">
                {t('admin.callback.title')}
              </Text>
              <Text size="sm" c="dimmed">
                {t('admin.callback.help', { provider: name })}
              </Text>
            </div>
            <CopyField
              label={t('admin.callback.title')}
              isLabelHidden
              value={
                settings['general.appUrl'].replace(/\/+$/, '') + apiPaths.socialCallback(provider)
              }
            />
          </div>
          <TryProvider provider={provider} />
        </>
      )}
    </div>
  )
}

import { Button, NativeSelect, TextInput } from '@mantine/core'
import { auditActions } from '@floe/contracts'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useHttp } from '../../../shared/api/http-context.ts'
import { auditExportPath } from '../api/audit.ts'
import classes from './AuditFilters.module.css'
import type { AuditSearch, AuditState } from './audit-state.ts'
import { useAuditTexts } from './use-audit-texts.ts'

interface AuditFiltersProps {
  state: AuditState
  search: AuditSearch
  onChange: (changes: Partial<AuditState>) => void
}

/** What the log is narrowed down by, and what matches as a file. */
export function AuditFilters({ state, search, onChange }: AuditFiltersProps) {
  const { t } = useTranslation()
  const http = useHttp()
  const texts = useAuditTexts()
  const actions = auditActions
    .map((value) => ({ value: value as string, label: texts.action(value) }))
    .sort((a, b) => a.label.localeCompare(b.label))

  async function download() {
    // The browser asks by itself, so the session has to be fresh before.
    await http.ensureFresh()
    window.location.assign(auditExportPath(search))
  }

  return (
    <div className={classes.bar} role="search">
      <TextInput
        label={t('audit.columns.actor')}
        aria-keyshortcuts="/"
        maxLength={100}
        value={state.actor}
        onChange={(event) => onChange({ actor: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('audit.columns.action')}
        data={[{ value: '', label: t('audit.anyAction') }, ...actions]}
        value={state.action}
        onChange={(event) => {
          const { value } = event.currentTarget
          onChange({ action: auditActions.find((action) => action === value) ?? '' })
        }}
      />
      <TextInput
        label={t('audit.columns.target')}
        maxLength={100}
        value={state.target}
        onChange={(event) => onChange({ target: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t('audit.from')}
        value={state.from}
        onChange={(event) => onChange({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t('audit.to')}
        value={state.to}
        onChange={(event) => onChange({ to: event.currentTarget.value })}
      />
      <Button
        variant="default"
        leftSection={<IconDownload size={17} />}
        onClick={() => void download()}
      >
        {t('audit.export')}
      </Button>
    </div>
  )
}

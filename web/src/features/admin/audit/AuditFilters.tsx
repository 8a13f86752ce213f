import { Button, NativeSelect, TextInput, type TextInputProps } from '@mantine/core'
import { auditActions } from '@floe/contracts'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useHttp } from '../../../shared/api/http-context.ts'
import { auditExportPath } from '../api/audit.ts'
import { useTyped } from '../../../shared/list/use-typed.ts'
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
      <Filter
        label={t('audit.columns.actor')}
        aria-keyshortcuts="/"
        maxLength={100}
        text={state.actor}
        onType={(actor) => onChange({ actor })}
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
      <Filter
        label={t('audit.columns.target')}
        maxLength={100}
        text={state.target}
        onType={(target) => onChange({ target })}
      />
      <Filter
        type="date"
        label={t('audit.from')}
        text={state.from}
        onType={(from) => onChange({ from })}
      />
      <Filter type="date" label={t('audit.to')} text={state.to} onType={(to) => onChange({ to })} />
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

interface FilterProps extends TextInputProps {
  text: string
  onType: (text: string) => void
}

function Filter({ text, onType, ...input }: FilterProps) {
  const [typed, type] = useTyped(text, onType)
  return (
    <TextInput {...input} value={typed} onChange={(event) => type(event.currentTarget.value)} />
  )
}

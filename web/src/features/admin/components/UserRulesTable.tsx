import {
  applyRule,
  type AppliedRule,
  configCatalogue,
  type ConfigVariable,
  type Settings,
  type UserRule,
  userRules,
  type UserView,
} from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import table from '../../../shared/components/cards-table.module.css'
import { useFormat } from '../../../shared/format/use-format.ts'
import { choicesOf, configTexts } from '../../../shared/settings/config-texts.ts'

interface UserRulesTableProps {
  settings: Parameters<typeof applyRule>[1] & Pick<Settings, UserRule>
  user: UserView
}

/** One row for each rule: what holds for the account, and by what. */
export function UserRulesTable({ settings, user }: UserRulesTableProps) {
  const { t } = useTranslation()
  const textOf = useRuleText()
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t('admin.rules.rule')}</th>
          <th scope="col">{t('admin.rules.applies')}</th>
          <th scope="col">{t('admin.rules.why')}</th>
        </tr>
      </thead>
      <tbody>
        {userRules.map((rule) => {
          const applied = applyRule(rule, settings, user)
          return (
            <tr key={rule}>
              <td>{configTexts(t, rule).label}</td>
              <td data-label={t('admin.rules.applies')}>{textOf(rule, applied)}</td>
              <td data-label={t('admin.rules.why')}>
                {t(`admin.rules.because.${applied.reason}`)}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function useRuleText() {
  const { t } = useTranslation()
  const format = useFormat()
  return (rule: UserRule, { value }: AppliedRule): string => {
    const variable: ConfigVariable = configCatalogue[rule]
    if (typeof value === 'boolean') return t(value ? 'admin.users.yes' : 'admin.rules.no')
    if (typeof value === 'string') {
      return choicesOf(t, rule).find((choice) => choice.value === value)?.label ?? value
    }
    if (value === 0) return t('share.fields.noLimit')
    const unit = variable.type === 'number' ? variable.unit : undefined
    if (unit === 'byte') return format.size(value)
    return unit === 'hour' ? format.period(value) : format.count(value)
  }
}

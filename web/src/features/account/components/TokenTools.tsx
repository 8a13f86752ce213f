import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveText } from '../../../shared/save.ts'
import {
  commandLineSetup,
  type ScreenshotProgram,
  screenshotPrograms,
  screenshotScript,
  shareXFile,
  type TokenTool,
  type ToolFile,
} from '../token-tools.ts'
import { CopiedText } from '../../../shared/components/CopiedText.tsx'

const tools = ['curl', 'ShareX', 'screenshots', 'commandLine'] as const
type Tool = (typeof tools)[number]

/** What a token that makes shares is for, each made ready with it. */
export function TokenTools({ curl, tool }: { curl: string; tool: TokenTool }) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<Tool>('curl')
  const labels: Record<Tool, string> = {
    curl: 'curl',
    ShareX: 'ShareX',
    screenshots: t('account.tokens.use.screenshots'),
    commandLine: t('account.tokens.use.commandLine'),
  }
  const programs = Object.keys(screenshotPrograms) as ScreenshotProgram[]
  return (
    <Stack gap="sm">
      <NativeSelect
        label={t('account.tokens.use.with')}
        value={chosen}
        data={tools.map((value) => ({ value, label: labels[value] }))}
        onChange={(event) => setChosen(tools[event.currentTarget.selectedIndex] ?? 'curl')}
      />
      {chosen === 'curl' && (
        <CopiedText
          label={t('account.tokens.example')}
          copyLabel={t('account.tokens.copyExample')}
          text={curl}
        />
      )}
      {chosen === 'ShareX' && (
        <ToolFiles
          hint={t('account.tokens.use.shareXText')}
          files={[{ label: t('account.tokens.use.shareXFile'), make: () => shareXFile(tool) }]}
        />
      )}
      {chosen === 'screenshots' && (
        <ToolFiles
          hint={t('account.tokens.use.scriptText')}
          files={programs.map((program) => ({
            label: t('account.tokens.use.script', { program }),
            make: () => screenshotScript(program, tool),
          }))}
        />
      )}
      {chosen === 'commandLine' && (
        <CopiedText
          label={t('account.tokens.use.install')}
          copyLabel={t('account.tokens.copyExample')}
          text={commandLineSetup(tool.address)}
        />
      )}
    </Stack>
  )
}

function ToolFiles({
  hint,
  files,
}: {
  hint: string
  files: { label: string; make: () => ToolFile }[]
}) {
  const { t } = useTranslation()
  return (
    <Stack gap="xs">
      <Text size="sm">
        {hint} {t('account.tokens.use.secret')}
      </Text>
      <Group gap="xs">
        {files.map(({ label, make }) => (
          <Button
            key={label}
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => saveText(make())}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Stack>
  )
}

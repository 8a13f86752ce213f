import { useEffect } from 'react'
import { useLocation } from 'react-router'

const controls = ':is(input:not([type="file"]), select, textarea, button):enabled'

/** The setting that the address leads to, behind its `#`. It gets the focus once it is drawn. */
export function useAddressedSetting(): string {
  const { hash, key } = useLocation()
  const setting = hash.slice(1)
  useEffect(() => {
    const row = setting === '' ? null : document.getElementById(setting)
    if (!row) return
    // One that the environment decides has nothing to change.
    const target = row.querySelector<HTMLElement>(controls) ?? row
    target.focus({ preventScroll: true })
    row.scrollIntoView({ block: 'center' })
    // The same address chosen again leads there again.
  }, [setting, key])
  return setting
}

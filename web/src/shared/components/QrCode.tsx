import { Skeleton } from '@mantine/core'
import { useEffect, useState } from 'react'
import classes from './QrCode.module.css'

const SIZE = 176

/** The text as a QR code; the encoder is fetched only when one is shown. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [source, setSource] = useState<string | null>(null)

  useEffect(() => {
    let current = true
    void import('qrcode')
      .then(({ toDataURL }) => toDataURL(text, { margin: 2, width: SIZE * 2 }))
      .then((url) => {
        if (current) setSource(url)
      })
    return () => {
      current = false
    }
  }, [text])

  if (source === null) return <Skeleton width={SIZE} height={SIZE} radius="md" />
  return <img className={classes.code} src={source} alt={label} width={SIZE} height={SIZE} />
}

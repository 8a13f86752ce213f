import type { WebhookDelivery } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import rows from '../components/rows.module.css'
import classes from './DeliveryName.module.css'
import { deliveryStates } from './webhook-texts.ts'

/** What a message is about, and what became of it. */
export function DeliveryName({ delivery: { event, state } }: { delivery: WebhookDelivery }) {
  const { t } = useTranslation()
  return (
    <span className={rows.name}>
      <bdi>{event}</bdi>
      <span className={`${rows.mark} ${classes.state}`} data-state={state}>
        {t(deliveryStates[state])}
      </span>
    </span>
  )
}

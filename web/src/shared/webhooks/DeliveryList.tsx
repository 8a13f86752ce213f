import { UnstyledButton } from '@mantine/core'
import type { WebhookDelivery } from '@floe/contracts'
import { IconChevronRight } from '@tabler/icons-react'
import rows from '../components/rows.module.css'
import classes from './DeliveryList.module.css'
import { DeliveryName } from './DeliveryName.tsx'
import { useWebhookTexts } from './use-webhook-texts.ts'

interface DeliveryListProps {
  deliveries: readonly WebhookDelivery[]
  onOpen: (delivery: WebhookDelivery) => void
}

/** When, what about, and how it went; a press shows all of it. */
export function DeliveryList({ deliveries, onOpen }: DeliveryListProps) {
  const texts = useWebhookTexts()
  return (
    <ul className={rows.list}>
      {deliveries.map((delivery) => (
        <li key={delivery.id} className={classes.item}>
          <UnstyledButton className={classes.button} onClick={() => onOpen(delivery)}>
            <span className={rows.text}>
              <DeliveryName delivery={delivery} />
              <span className={rows.detail}>
                <time dateTime={delivery.createdAt}>{texts.moment(delivery.createdAt)}</time>
                {delivery.lastAttempt && (
                  <>
                    <bdi>{texts.outcome(delivery.lastAttempt)}</bdi>
                    <span>{texts.milliseconds(delivery.lastAttempt.milliseconds)}</span>
                  </>
                )}
              </span>
            </span>
            <IconChevronRight size={18} aria-hidden="true" className={classes.arrow} />
          </UnstyledButton>
        </li>
      ))}
    </ul>
  )
}

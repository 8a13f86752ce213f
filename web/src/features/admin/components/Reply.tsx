import classes from './Reply.module.css'

/** What another server said, which is in no language of ours. */
export function Reply({ text }: { text: string }) {
  return (
    <p className={classes.reply} dir="ltr">
      {text}
    </p>
  )
}

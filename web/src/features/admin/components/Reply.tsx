import classes from './Reply.module.css'

/** In the words of another server, which are nobody's language. */
export function Reply({ text }: { text: string }) {
  return (
    <p className={classes.reply} dir="ltr">
      {text}
    </p>
  )
}

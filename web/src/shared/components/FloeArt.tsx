import classes from './FloeArt.module.css'

/** An ice floe on still water: decoration for empty and dead-end places. */
export function FloeArt({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 240 150" fill="none" aria-hidden="true">
      <path className={classes.deep} d="M58 92 186 90 160 124 122 140 84 122Z" />
      <path className={classes.shade} d="M40 92 68 58 104 66 128 36 164 62 178 56 204 90Z" />
      <path className={classes.ice} d="M40 92 68 58 92 92Z" />
      <path className={classes.ice} d="M104 66 128 36 138 90 92 92Z" />
      <path className={classes.ice} d="M164 62 178 56 204 90 170 91Z" />
      <path className={classes.water} d="M8 92H232" />
      <path className={classes.ripple} d="M24 106H72M176 108H222M96 146H146" />
    </svg>
  )
}

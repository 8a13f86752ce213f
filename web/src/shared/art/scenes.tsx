import type { ReactNode } from 'react'
import classes from './scenes.module.css'

/** What lies on the water, and what hangs over it. All of one hand: light from the left. */
const scenes = {
  welcome: (
    <>
      <Dome />
      <Floe />
      <Water />
    </>
  ),
  drop: (
    <>
      <Dome />
      <SmallFloe />
      <Water />
      <g className={classes.solid}>
        <path d="M106 4h20l10 10v24a4 4 0 0 1-4 4h-26a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4Z" />
        <path className={classes.shade} d="M126 4v6a4 4 0 0 0 4 4h6Z" />
      </g>
      <path className={classes.line} d="M110 21h18M110 28h18M110 35h10" />
      <path className={classes.ripple} d="M86 14v16M152 10v16M76 28v10M162 26v10" />
    </>
  ),
  empty: (
    <>
      <Dome />
      <SmallFloe />
      <Water />
      <path
        className={classes.dashed}
        d="M106 2h20l10 10v24a4 4 0 0 1-4 4h-26a4 4 0 0 1-4-4V6a4 4 0 0 1 4-4Z"
      />
      <path className={classes.line} d="M119 14v14M112 21h14" />
    </>
  ),
  inbox: (
    <>
      <Dome />
      <g transform="translate(100 38.6) scale(.58)">
        <Floe />
      </g>
      <Water />
      <path className={classes.dashed} d="M22 66C34 52 44 58 50 64" />
      <g transform="rotate(-16 78 88)">
        <path className={classes.cork} d="M104 81h7v10h-7Z" />
        <path
          className={classes.glass}
          d="M58 75h24c7 0 8 6 14 6h9v10h-9c-6 0-7 6-14 6H58a6 6 0 0 1-6-6V81a6 6 0 0 1 6-6Z"
        />
        <rect className={classes.solid} x="57" y="81" width="24" height="10" rx="5" />
        <path className={classes.line} d="M64 86h10" />
      </g>
      <path className={classes.water} d="M40 97c8-5 14 5 22 0s14 5 22 0 14 5 22 0" />
    </>
  ),
  search: (
    <>
      <Dome />
      <Water />
      <path className={classes.handle} d="M141 86 164 113" />
      <circle className={classes.lens} cx="118" cy="60" r="34" />
      <path className={classes.deep} d="M98 68h40l-9 11-11 6-11-6Z" />
      <path className={classes.shade} d="M94 68 104 54l8 4 8-14 12 11 5-2 6 15Z" />
      <path className={classes.ice} d="M94 68 104 54l6 14ZM112 58l8-14 4 24h-14Z" />
      <path className={classes.line} d="M90 68h56" />
      <path className={classes.glint} d="M94 50a26 26 0 0 1 12-13" />
    </>
  ),
  lost: (
    <>
      <Dome />
      <path className={classes.deep} d="M34 92h56l-10 22-18 10-18-12Z" />
      <path className={classes.shade} d="M24 92 44 66l16 6 14-20 12 14-6 12 14 14Z" />
      <path className={classes.ice} d="M24 92 44 66l12 26ZM60 72l14-20 2 40H56Z" />
      <path className={classes.deep} d="M152 92h52l-12 20-16 10-14-12Z" />
      <path className={classes.shade} d="M146 92l10-12-6-10 14-20 18 18 8-4 22 28Z" />
      <path className={classes.ice} d="M150 70l14-20 4 42h-22l10-12ZM182 68l8-4 22 28h-24Z" />
      <Water />
      <path className={classes.way} d="M74 44C84 26 100 22 108 30" />
      <path className={classes.way} d="M132 34c12-10 24-6 30 8" />
      <path className={classes.line} d="m112 24 8 8m0-8-8 8" />
    </>
  ),
  gone: (
    <>
      <Dome />
      <path
        className={classes.dashed}
        d="M40 92 68 58l36 8 24-30 36 26 14-6 26 36M68 58l24 34M104 66l-12 26M128 36l10 54M164 62l6 29"
      />
      <path className={classes.deep} d="M104 93h40l-9 10-11 5-11-6Z" />
      <path className={classes.shade} d="M98 92l12-13 9 4 10-7 20 16Z" />
      <path className={classes.ice} d="M98 92l12-13 5 13ZM119 83l10-7 4 16h-18Z" />
      <Water />
      <path className={classes.ripple} d="M72 118h34M142 120h34" />
    </>
  ),
  locked: (
    <>
      <Dome />
      <SmallFloe />
      <Water />
      <path className={classes.line} d="M110 20v-6a10 10 0 0 1 20 0v6" />
      <rect className={classes.solid} x="104" y="19" width="32" height="24" rx="5" />
      <path className={classes.line} d="M120 28v6" />
    </>
  ),
  storm: (
    <>
      <Dome />
      <Floe />
      <path className={classes.crack} d="m128 36-8 14 12 10-10 14 10 8-6 10" />
      <Water />
      <path
        className={classes.solid}
        d="M70 34a11 11 0 0 1 2-22 17 17 0 0 1 32-4 13 13 0 0 1 15 26Z"
      />
      <path className={classes.bolt} d="m96 30-8 14h8l-4 12 14-17h-9l5-9Z" />
      <path className={classes.ripple} d="m78 42-4 8M112 42l-4 8" />
    </>
  ),
  quiet: (
    <>
      <Dome />
      <Floe />
      <Water />
      <path className={classes.moon} d="M182 14a15 15 0 1 0 14 21 12 12 0 0 1-14-21Z" />
      <path
        className={classes.line}
        d="M66 22v8M62 26h8M96 10v6M93 13h6M150 14v5M147.5 16.500h5M44 46v4M42 48h4"
      />
    </>
  ),
  done: (
    <>
      <Dome />
      <Floe />
      <Water />
      <path className={classes.line} d="M128 36V2" />
      <path className={classes.flag} d="M128 3h36l-7 12 7 12h-36Z" />
      <path className={classes.check} d="m136 15 5 5 9-10" />
    </>
  ),
} satisfies Record<string, ReactNode>

export type SceneName = keyof typeof scenes

export function Scene({ name }: { name: SceneName }) {
  return (
    <svg className={classes.scene} viewBox="0 0 240 150" fill="none">
      {scenes[name]}
    </svg>
  )
}

function Dome() {
  return <path className={classes.dome} d="M56 92a64 64 0 0 1 128 0Z" />
}

function Floe() {
  return (
    <>
      <path className={classes.deep} d="M58 92 186 90 160 124 122 140 84 122Z" />
      <path className={classes.shade} d="M40 92 68 58 104 66 128 36 164 62 178 56 204 90Z" />
      <path className={classes.ice} d="M40 92 68 58 92 92Z" />
      <path className={classes.ice} d="M104 66 128 36 138 90 92 92Z" />
      <path className={classes.ice} d="M164 62 178 56 204 90 170 91Z" />
    </>
  )
}

/** Leaves space above. */
function SmallFloe() {
  return (
    <g transform="translate(28 27.6) scale(.75 .7)">
      <Floe />
    </g>
  )
}

function Water() {
  return (
    <>
      <path className={classes.water} d="M8 92H232" />
      <path className={classes.ripple} d="M24 106H72M176 108H222M96 146H146" />
    </>
  )
}

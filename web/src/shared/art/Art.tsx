import { type ComponentType, lazy, Suspense } from 'react'
import classes from './Art.module.css'
import type { SceneName } from './scenes.tsx'

interface SceneProps {
  name: SceneName
}

const Nothing = () => null

// No page needs a picture to begin with, and whoever is told that the server is away does without.
const Scene = lazy(async (): Promise<{ default: ComponentType<SceneProps> }> => {
  const scenes = await import('./scenes.tsx').catch(() => null)
  return { default: scenes?.Scene ?? Nothing }
})

/** Decorates an empty or dead-end place; keeps the room until the drawing is there. */
export function Art({ scene }: { scene: SceneName }) {
  return (
    <div className={classes.art} aria-hidden="true">
      <Suspense>
        <Scene name={scene} />
      </Suspense>
    </div>
  )
}

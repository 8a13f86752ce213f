import { type ComponentType, lazy, Suspense } from 'react'
import classes from './Art.module.css'
import type { SceneName } from './scenes.tsx'

interface SceneProps {
  name: SceneName
}

const Nothing = () => null

async function loadScene(): Promise<{ default: ComponentType<SceneProps> }> {
  const scenes = await import('./scenes.tsx').catch(() => null)
  return { default: scenes?.Scene ?? Nothing }
}

// No page needs a picture to begin with: the document goes without, and so does a page that says
// that the server is away.
const Scene = import.meta.env.SSR ? Nothing : lazy(loadScene)

/** Decorates an empty or dead-end place; keeps its height until the drawing is there. */
export function Art({ scene }: { scene: SceneName }) {
  return (
    <div className={classes.art} aria-hidden="true">
      <Suspense>
        <Scene name={scene} />
      </Suspense>
    </div>
  )
}

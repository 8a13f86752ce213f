import { Component, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { renewLostParts } from '../shared/lazy-part.ts'
import { Crash } from './Crash.tsx'

interface Props {
  place: string
  children: ReactNode
}

interface State {
  failed: boolean
  place: string
}

/**
 * Shows a way out when a page breaks, or when its chunk does not arrive: without a connection, or
 * after an update. Going elsewhere leaves that behind.
 */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  const { key } = useLocation()
  return <Boundary place={key}>{children}</Boundary>
}

class Boundary extends Component<Props, State> {
  override state: State = { failed: false, place: this.props.place }

  static getDerivedStateFromError(): Partial<State> {
    return { failed: true }
  }

  static getDerivedStateFromProps({ place }: Props, state: State): State | null {
    return place === state.place ? null : { failed: false, place }
  }

  // Not before it is on screen: what is drawn meanwhile would ask without end.
  override componentDidCatch(): void {
    renewLostParts()
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return <Crash onTryAgain={() => this.setState({ failed: false })} />
  }
}

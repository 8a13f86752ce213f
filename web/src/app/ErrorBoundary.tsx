import { Component, type ReactNode } from 'react'
import { Crash } from './Crash.tsx'

interface State {
  failed: boolean
}

/** Shows a way out when a page breaks, or when its chunk is gone after an update. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError(): State {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <Crash /> : this.props.children
  }
}

import { Component, type ErrorInfo, type ReactNode, Suspense } from 'react'
import { ChunkError } from '../lib/chunk.ts'
import { t } from '../lib/i18n/index.ts'
import { resetFailedParts } from '../lib/lazy.ts'
import { notify } from '../lib/notices.ts'
import { onlineStore, reportNoResponse } from '../lib/online.ts'

interface LazyBoundaryProps {
  /** Fallback while the part loads, or when it failed to. */
  fallback?: ReactNode
  /** Called when the part failed to load. */
  onMissing?: () => void
  children: ReactNode
}

/**
 * A lazily loaded part that the surrounding screen works without. A failure to load is reported, and retried when the
 * server is back. Other errors propagate to the screen's error boundary.
 */
export class LazyBoundary extends Component<LazyBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }
  #stop = (): void => undefined

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error }
  }

  override componentDidMount(): void {
    this.#stop = onlineStore.subscribe(() => {
      if (onlineStore.get() && this.state.error) this.setState({ error: undefined })
    })
  }

  override componentDidCatch(error: unknown, _info: ErrorInfo): void {
    if (!(error instanceof ChunkError)) return
    resetFailedParts()
    reportNoResponse()
    notify('error', t('errors.chunk'))
    this.props.onMissing?.()
  }

  override componentWillUnmount(): void {
    this.#stop()
  }

  override render(): ReactNode {
    const { fallback = null, children } = this.props
    const { error } = this.state
    if (error instanceof ChunkError) return fallback
    if (error) throw error
    return <Suspense fallback={fallback}>{children}</Suspense>
  }
}

import { useStore } from '../../lib/store.ts'
import { UploadCard, useUploading } from './card.tsx'
import { interruptedStore } from './interrupted.ts'
import { ResumeCard } from './resume-card.tsx'
import { ownUploader, useUploads } from './runtime.ts'
import { summaryStore } from './summary.ts'
import { SummaryCard } from './summary-card.tsx'

/** The uploads in progress, with their errors and actions. Hidden without any. */
export default function UploadPanel() {
  const snapshot = useUploads()
  useUploading({ uploader: ownUploader, snapshot })
  const left = useStore(interruptedStore)
  const summary = useStore(summaryStore)
  if (snapshot.jobs.length > 0) return <UploadCard uploader={ownUploader} snapshot={snapshot} />
  if (summary) return <SummaryCard summary={summary} />
  return left.length > 0 ? <ResumeCard left={left} /> : null
}

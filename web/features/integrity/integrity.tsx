import { DuplicatesCard } from './duplicates.tsx'
import { FindingsCard } from './findings.tsx'
import { ReportCard } from './report.tsx'

/** Whether files are what they were, and which have the same content; for administrators. */
export default function IntegrityPage() {
  return (
    <>
      <ReportCard />
      <FindingsCard />
      <DuplicatesCard />
    </>
  )
}

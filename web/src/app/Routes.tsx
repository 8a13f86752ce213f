import type { i18n } from 'i18next'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  Navigate,
  Outlet,
  Route,
  Routes as RouterRoutes,
  useLocation,
  useParams,
} from 'react-router'
import { addRestOfCatalogue } from '../shared/i18n/i18n.ts'
import { paths } from '../shared/paths.ts'
import { useSession } from '../shared/session/session.ts'
import { gate } from './gate.ts'
import { Layout } from './Layout.tsx'
import { PageSkeleton } from './PageSkeleton.tsx'
import { pages } from './pages.ts'

type PageName = keyof typeof pages

function lazyPage(name: PageName) {
  return lazy(() => pages[name]().then(({ Page }) => ({ default: Page })))
}

const Home = lazyPage('home')
const SignIn = lazyPage('signIn')
const Totp = lazyPage('totp')
const ResetRequest = lazyPage('resetRequest')
const NewPassword = lazyPage('newPassword')
const SignUp = lazyPage('signUp')
const Upload = lazyPage('upload')
const ReverseUpload = lazyPage('reverseUpload')
const Share = lazyPage('share')
const ShareEdit = lazyPage('shareEdit')
const ShareActivity = lazyPage('shareActivity')
const Account = lazyPage('account')
const MyShares = lazyPage('myShares')
const ReverseShares = lazyPage('reverseShares')
const Admin = lazyPage('admin')
const AdminIntro = lazyPage('adminIntro')
const AdminUsers = lazyPage('adminUsers')
const AdminShares = lazyPage('adminShares')
const AdminAudit = lazyPage('adminAudit')
const AdminConfig = lazyPage('adminConfig')
const ErrorScreen = lazyPage('error')
const NotFound = lazyPage('notFound')

/** Lets a page show once the language is there in full; a share's page needs only its frame. */
function lazyOutlet(i18n: i18n) {
  return lazy(() => addRestOfCatalogue(i18n).then(() => ({ default: Outlet })))
}

/** The gate in front of the pages, then the page of the address. */
export function Routes() {
  const { i18n } = useTranslation()
  const { pathname, search } = useLocation()
  const { user, settings, isSetUp, landing } = useSession()
  const [AllTexts] = useState(() => lazyOutlet(i18n))
  const elsewhere = gate({
    path: pathname,
    search,
    settings,
    visitor: { signedIn: user !== null, isAdmin: user?.isAdmin ?? false, isSetUp, landing },
  })
  if (elsewhere !== null) return <Navigate to={elsewhere} replace />

  return (
    <RouterRoutes>
      <Route
        element={
          <Suspense fallback={<PageSkeleton />}>
            <AllTexts />
          </Suspense>
        }
      >
        <Route path="/admin/config/:category" element={<AdminConfig />} />
      </Route>
      <Route element={<Layout />}>
        <Route path="/s/:id" element={<ShortLink />} />
        <Route path="/share/:id" element={<Share />} />
        <Route element={<AllTexts />}>
          <Route path={paths.home} element={<Home />} />
          <Route path={paths.signIn} element={<SignIn />} />
          <Route path="/auth/totp/:loginToken" element={<Totp />} />
          <Route path={paths.resetPassword} element={<ResetRequest />} />
          <Route path="/auth/resetPassword/:token" element={<NewPassword />} />
          <Route path={paths.signUp} element={<SignUp />} />
          <Route path={paths.upload} element={<Upload />} />
          <Route path="/upload/:token" element={<ReverseUpload />} />
          <Route path="/share/:id/edit" element={<ShareEdit />} />
          <Route path="/share/:id/activity" element={<ShareActivity />} />
          <Route path={paths.account} element={<Account />} />
          <Route path={paths.myShares} element={<MyShares />} />
          <Route path={paths.reverseShares} element={<ReverseShares />} />
          <Route path={paths.admin} element={<Admin />} />
          <Route path={paths.adminIntro} element={<AdminIntro />} />
          <Route path={paths.adminUsers} element={<AdminUsers />} />
          <Route path={paths.adminShares} element={<AdminShares />} />
          <Route path={paths.adminAudit} element={<AdminAudit />} />
          <Route path={paths.error} element={<ErrorScreen />} />
          <Route path="*" element={<NotFound />} />
        </Route>
      </Route>
    </RouterRoutes>
  )
}

function ShortLink() {
  const { id = '' } = useParams()
  return <Navigate to={paths.share(id)} replace />
}

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
import { addRestOfCatalogue, hasAllTexts } from '../shared/i18n/i18n.ts'
import { paths } from '../shared/paths.ts'
import { useSession } from '../shared/session/session.ts'
import type { PageModule } from './addresses.ts'
import { gate } from './gate.ts'
import { Layout } from './Layout.tsx'
import { PageSkeleton } from './PageSkeleton.tsx'
import { findArrivedPage, loadPage } from './pages.ts'

/** One that has arrived shows at once, without the stand-in for what is on its way. */
function lazyPage(module: PageModule) {
  const Late = lazy(() => loadPage(module).then((Page) => ({ default: Page })))
  return function RoutedPage() {
    const [Page] = useState(() => findArrivedPage(module) ?? Late)
    return <Page />
  }
}

const Home = lazyPage('home/pages/HomePage')
const SignIn = lazyPage('auth/pages/SignInPage')
const Totp = lazyPage('auth/pages/TotpPage')
const ResetRequest = lazyPage('auth/pages/ResetRequestPage')
const NewPassword = lazyPage('auth/pages/NewPasswordPage')
const ConfirmEmail = lazyPage('auth/pages/ConfirmEmailPage')
const SignUp = lazyPage('auth/pages/SignUpPage')
const Upload = lazyPage('upload/pages/UploadPage')
const ReverseUpload = lazyPage('upload/pages/ReverseUploadPage')
const Share = lazyPage('share-view/pages/ShareViewPage')
const ShareEdit = lazyPage('share-edit/pages/ShareEditPage')
const ShareActivity = lazyPage('share-activity/pages/ShareActivityPage')
const Account = lazyPage('account/pages/AccountPage')
const MyShares = lazyPage('my-shares/pages/MySharesPage')
const ReverseShares = lazyPage('reverse-shares/pages/ReverseSharesPage')
const Admin = lazyPage('admin/pages/AdminPage')
const AdminIntro = lazyPage('admin/pages/IntroPage')
const AdminUsers = lazyPage('admin/pages/UsersPage')
const AdminShares = lazyPage('admin/pages/SharesPage')
const AdminAudit = lazyPage('admin/pages/AuditPage')
const AdminConfig = lazyPage('admin/pages/ConfigPage')
const ErrorScreen = lazyPage('errors/pages/ErrorPage')
const NotFound = lazyPage('errors/pages/NotFoundPage')

/** Lets a page show once the language is there in full; a share's page needs only its frame. */
function lazyOutlet(i18n: i18n) {
  if (hasAllTexts(i18n)) return Outlet
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
          <Route path="/auth/verify/:token" element={<ConfirmEmail />} />
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

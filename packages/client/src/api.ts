// Made from docs/openapi.json by "npm run openapi". Do not edit.

export interface paths {
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit events, newest first; X-Total-Count is the number of matches
         * @description Requires an administrator. Scope of tokens: `admin:read`.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export audit events as CSV, newest first; cells are escaped against formulas
         * @description Requires an administrator. Scope of tokens: `admin:read`.
         */
        get: operations["exportAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/jobs/{jobId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a failed job; it gets all its attempts again
         * @description Requires an administrator. Scope of tokens: `admin:settings`.
         */
        post: operations["retryJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get storage, shares and users over time, jobs by name, failed jobs and the latest audit events
         * @description Requires an administrator. Scope of tokens: `admin:read`.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the latest release, checked every few hours; null while it is unknown or the check is off
         * @description Requires an administrator. Scope of tokens: `admin:read`.
         */
        get: operations["getLatestRelease"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/directory/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test the saved directory (LDAP), even if it is disabled: tells one of its people, or the one of this name
         * @description Requires an administrator. Scope of tokens: `admin:settings`.
         */
        post: operations["tryDirectory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the passkeys of your account, the newest first
         * @description Requires a signed-in user. No token may call it.
         */
        get: operations["listPasskeys"];
        put?: never;
        /**
         * Add the passkey that the browser made. From the first one on a password alone does not sign in; recovery codes come with it where there are none
         * @description Requires a signed-in user. No token may call it.
         */
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkeys/{passkeyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename a passkey
         * @description Requires a signed-in user. No token may call it.
         */
        patch: operations["renamePasskey"];
        trace?: never;
    };
    "/api/auth/passkeys/{passkeyId}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a passkey; with the last one the recovery codes go, unless TOTP is enabled
         * @description Requires a signed-in user. No token may call it.
         */
        post: operations["removePasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the browser is asked to make a passkey (WebAuthn)
         * @description Requires a signed-in user. No token may call it.
         */
        post: operations["beginPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the password; a new session replaces all others
         * @description Requires a signed-in user. No token may call it.
         */
        patch: operations["changePassword"];
        trace?: never;
    };
    "/api/auth/resetPassword": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with the token from the email; ends all sessions. The first password of an account signs in, unless TOTP is enabled
         * @description Open to anyone. No token may call it.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/resetPassword/{email}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a password reset link; the response is the same whether or not the account exists
         * @description Open to anyone. No token may call it.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the signed-in devices, most recently used first
         * @description Requires a signed-in user. No token may call it.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * Sign out all devices, including this one
         * @description Requires a signed-in user. No token may call it.
         */
        delete: operations["endSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign out one device
         * @description Requires a signed-in user. No token may call it.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/signIn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with email address or username, of an account here or in the directory
         * @description Open to anyone. No token may call it.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/signIn/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in by a passkey: alone, or as the second step
         * @description Open to anyone. No token may call it.
         */
        post: operations["signInPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/signIn/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the browser is asked to sign in by a passkey, and the other ways of the second step
         * @description Open to anyone. No token may call it.
         */
        post: operations["requestPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/signIn/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a sign-in with a code from the authenticator app or a recovery code
         * @description Open to anyone. No token may call it.
         */
        post: operations["signInTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/signOut": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out: end this session and clear its cookies; `redirectURI` leads on to the provider it began at
         * @description Open to anyone. No token may call it.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/signUp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account; the first one becomes the administrator
         * @description Open to anyone. No token may call it.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew the access token; the refresh cookie rotates
         * @description Open to anyone. No token may call it.
         */
        post: operations["renewToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/totp/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable TOTP and delete its recovery codes
         * @description Requires a signed-in user. No token may call it.
         */
        post: operations["disableTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/totp/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start setting up TOTP; it takes effect once a code is verified
         * @description Requires a signed-in user. No token may call it.
         */
        post: operations["enableTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/totp/recoveryCodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate new recovery codes, shown only once; earlier codes stop working
         * @description Requires a signed-in user. No token may call it.
         */
        post: operations["createRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/totp/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish setting up TOTP with a code from the app
         * @description Requires a signed-in user. No token may call it.
         */
        post: operations["verifyTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an email address with the token from the email
         * @description Open to anyone. No token may call it.
         */
        post: operations["confirmEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the public settings with their effective values as text; a `share.maxSize` of 9007199254740991 means no limit
         * @description Open to anyone. Any token will do.
         */
        get: operations["listConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs/admin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change settings, all or none; an empty string restores the default
         * @description Requires an administrator. Scope of tokens: `admin:settings`.
         */
        patch: operations["updateConfig"];
        trace?: never;
    };
    "/api/configs/admin/{category}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the settings of one category; secrets are never returned
         * @description Requires an administrator. Scope of tokens: `admin:read`.
         */
        get: operations["listAdminConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs/admin/finishSetup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish the setup after the first start, with changes in the format of updateConfig
         * @description Requires an administrator. No token may call it.
         */
        post: operations["finishSetup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs/admin/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a square PNG as the logo and the icons of the site
         * @description Requires an administrator. Scope of tokens: `admin:settings`.
         */
        post: operations["setLogo"];
        /**
         * Restore the default logo
         * @description Requires an administrator. Scope of tokens: `admin:settings`.
         */
        delete: operations["removeLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs/admin/logoDark": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a square PNG as the logo where the page is dark
         * @description Requires an administrator. Scope of tokens: `admin:settings`.
         */
        post: operations["setDarkLogo"];
        /**
         * Show the usual logo where the page is dark, too
         * @description Requires an administrator. Scope of tokens: `admin:settings`.
         */
        delete: operations["removeDarkLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs/admin/previewEmail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview an email with sample values; an empty text means the default
         * @description Requires an administrator. Scope of tokens: `admin:settings`.
         */
        post: operations["previewEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs/admin/testEmail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test email with the saved settings and return the response of the mail server
         * @description Requires an administrator. Scope of tokens: `admin:settings`.
         */
        post: operations["sendTestEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the service is up and can reach its database
         * @description Open to anyone. Any token will do.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get which release runs here, and whether it is up and ready
         * @description Open to anyone. Any token will do.
         */
        get: operations["healthDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process is running
         * @description Open to anyone. Any token will do.
         */
        get: operations["healthLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process can serve requests; 503 while a dependency is missing
         * @description Open to anyone. Any token will do.
         */
        get: operations["healthReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/auth/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Redirect to the provider to sign in, or to link an account while signed in
         * @description Open to anyone. No token may call it.
         */
        get: operations["beginSocialSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/available": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the enabled providers
         * @description Open to anyone. Any token will do.
         */
        get: operations["listSocialProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/callback/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Handle the redirect from the provider; failures redirect to the error page
         * @description Open to anyone. No token may call it.
         */
        get: operations["finishSocialSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/check/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test whether a provider accepts the saved client, even if it is disabled
         * @description Requires an administrator. Scope of tokens: `admin:settings`.
         */
        post: operations["trySocialProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/device/{userCode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a program asks for with this code
         * @description Requires a signed-in user. No token may call it.
         */
        get: operations["getDeviceRequest"];
        put?: never;
        /**
         * Approve or refuse what a program asks for with this code
         * @description Requires a signed-in user. No token may call it.
         */
        post: operations["decideDeviceRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/device/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a token that somebody approves in a browser (RFC 8628)
         * @description Open to anyone. Any token will do.
         */
        post: operations["authorizeDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/device/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take the token once it was approved; until then `authorization_pending`
         * @description Open to anyone. Any token will do.
         */
        post: operations["redeemDeviceCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/logout/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * For the OpenID provider: end the sessions that it names (Back-Channel Logout 1.0)
         * @description Open to anyone. Any token will do.
         */
        post: operations["receiveLogoutToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your linked accounts by provider; providers without one are omitted
         * @description Requires a signed-in user. No token may call it.
         */
        get: operations["listSocialLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/unlink/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unlink an account; the last sign-in method must be confirmed. Redirects (302) to the error page if none is linked
         * @description Requires a signed-in user. No token may call it.
         */
        post: operations["unlinkSocialAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reverseShares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your reverse shares that have not expired, with the shares received, latest expiration first
         * @description Requires a signed-in user. Scope of tokens: `requests:read`.
         */
        get: operations["listOwnReverseShares"];
        put?: never;
        /**
         * Create a reverse share: a link that lets others send you files
         * @description Requires a signed-in user. Scope of tokens: `requests:write`.
         */
        post: operations["createReverseShare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reverseShares/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what senders need to know, by token; 404 once it has expired or is used up
         * @description Open to anyone. Any token will do.
         */
        get: operations["getReverseShare"];
        put?: never;
        post?: never;
        /**
         * Delete a reverse share and all shares received through it, by id
         * @description Requires the user who created the reverse share. Scope of tokens: `requests:write`.
         */
        delete: operations["deleteReverseShare"];
        options?: never;
        head?: never;
        /**
         * Change limits, name, password, notifications or visibility, by id
         * @description Requires the user who created the reverse share. Scope of tokens: `requests:write`.
         */
        patch: operations["updateReverseShare"];
        trace?: never;
    };
    "/api/reverseShares/{token}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the password and set the cookie that lets this browser send files
         * @description Open to anyone. Any token will do.
         */
        post: operations["unlockReverseShare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reverseShares/isReverseShareTokenAvailable/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether a link is available
         * @description Requires a signed-in user. Scope of tokens: `requests:read`.
         */
        get: operations["isReverseShareTokenAvailable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your completed shares that have not expired, latest expiration first
         * @description Requires a signed-in user. Scope of tokens: `shares:read`.
         */
        get: operations["listOwnShares"];
        put?: never;
        /**
         * Create a share; upload files to it, then complete it
         * @description Requires a signed-in user. Scope of tokens: `shares:write`.
         */
        post: operations["createShare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a share and its files as a visitor with access, or as its owner
         * @description Requires a visit to the share, the cookie that `openShare` sets. Its owner needs none. Scope of tokens: `shares:read`.
         */
        get: operations["getShare"];
        put?: never;
        post?: never;
        /**
         * Delete a share and its files
         * @description Requires the owner of the share: its user, or the browser that created it. Scope of tokens: `shares:write`.
         */
        delete: operations["deleteShare"];
        options?: never;
        head?: never;
        /**
         * Change name, description, expiration, password, view limit, recipients or notifications
         * @description Requires the owner of the share: its user, or the browser that created it. Scope of tokens: `shares:write`.
         */
        patch: operations["updateShare"];
        trace?: never;
    };
    "/api/shares/{id}/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a code for a share that opens for its recipients; the response is the same whether or not the address is one of them
         * @description Open to anyone. Any token will do.
         */
        post: operations["requestShareCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/{id}/codeByForm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request such a code from an HTML form; redirects to the page of the share
         * @description Open to anyone. Any token will do.
         */
        post: operations["requestShareCodeByForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a share and publish its files; the first time, its link and terms may still be chosen
         * @description Requires the owner of the share: its user, or the browser that created it. Scope of tokens: `shares:write`.
         */
        post: operations["completeShare"];
        /**
         * Reopen a share to add or remove files
         * @description Requires the owner of the share: its user, or the browser that created it. Scope of tokens: `shares:write`.
         */
        delete: operations["reopenShare"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/{id}/edit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Discard all changes since the share was last completed
         * @description Requires the owner of the share: its user, or the browser that created it. Scope of tokens: `shares:write`.
         */
        delete: operations["discardEdit"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/{id}/from-owner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a share and its files as its owner
         * @description Requires the owner of the share: its user, or the browser that created it. Scope of tokens: `shares:read`.
         */
        get: operations["getShareAsOwner"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/{id}/metaData": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the archive is ready to download
         * @description Requires a visit to the share, the cookie that `openShare` sets. Its owner needs none. Scope of tokens: `shares:read`.
         */
        get: operations["getShareMetaData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/{id}/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a visit from an HTML form; redirects to the page of the share, which shows the result
         * @description Open to anyone. Any token will do.
         */
        post: operations["openShareByForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/{id}/openAsAdministrator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a visit without password and without counting a view, if `share.allowAdminAccessAllShares` is on; recorded in the audit log
         * @description Requires an administrator. No token may call it.
         */
        post: operations["openShareAsAdministrator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/{id}/openEarly": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a share while its files are uploaded; its link and terms may be chosen as when completing it, which ends the upload
         * @description Requires the owner of the share: its user, or the browser that created it. Scope of tokens: `shares:write`.
         */
        post: operations["openShareEarly"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/{id}/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the views of a share and the downloads of each file, by hour
         * @description Requires the owner of the share: its user, or the browser that created it. Scope of tokens: `shares:read`.
         */
        get: operations["getShareActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/{id}/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a visit: check the code of a recipient and the password, count one view, set the cookie of the share
         * @description Open to anyone. Scope of tokens: `shares:read`.
         */
        post: operations["openShare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/{shareId}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload one chunk of a file (application/octet-stream)
         * @description Requires the owner of the share: its user, or the browser that created it. Scope of tokens: `shares:write`.
         */
        post: operations["uploadChunk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/{shareId}/files/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download one file; supports Range and If-Range, may redirect (302) to the object store
         * @description Requires a visit to the share, the cookie that `openShare` sets. Its owner needs none. Scope of tokens: `files:read`.
         */
        get: operations["downloadFile"];
        put?: never;
        post?: never;
        /**
         * Remove a file from an open share
         * @description Requires the owner of the share: its user, or the browser that created it. Scope of tokens: `shares:write`.
         */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/{shareId}/files/{fileId}/thumbnail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the WebP thumbnail of an image; files listed with `thumbnail` have one
         * @description Requires a visit to the share, the cookie that `openShare` sets. Its owner needs none. Scope of tokens: `files:read`.
         */
        get: operations["getThumbnail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/{shareId}/files/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload many small files at once (application/vnd.floe.batch)
         * @description Requires the owner of the share: its user, or the browser that created it. Scope of tokens: `shares:write`.
         */
        post: operations["uploadBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/{shareId}/files/selection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose files for one ZIP; the response is the `selection` to download it by
         * @description Requires a visit to the share, the cookie that `openShare` sets. Its owner needs none. Scope of tokens: `files:read`.
         */
        post: operations["selectFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/{shareId}/files/SHA256SUMS": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the SHA-256 of all files by their paths in the ZIP, for sha256sum -c
         * @description Requires a visit to the share, the cookie that `openShare` sets. Its owner needs none. Scope of tokens: `files:read`.
         */
        get: operations["downloadDigests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/{shareId}/files/zip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download all files, one `folder` or a `selection` as one ZIP of known length; supports Range and If-Range
         * @description Requires a visit to the share, the cookie that `openShare` sets. Its owner needs none. Scope of tokens: `files:read`.
         */
        get: operations["downloadArchive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all shares, including expired and incomplete ones; X-Total-Count is the number of matches
         * @description Requires an administrator. Scope of tokens: `admin:read`.
         */
        get: operations["listAllShares"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shares/isShareIdAvailable/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether a link is available
         * @description Open to anyone. Any token will do.
         */
        get: operations["isShareIdAvailable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tokens of the signed-in user; administrators may list those of another
         * @description Requires a signed-in user. No token may call it.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Create an access token for scripts; its text is in this response alone
         * @description Requires a signed-in user. No token may call it.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token of the signed-in user; administrators may revoke those of others
         * @description Requires a signed-in user. No token may call it.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the unfinished uploads of the signed-in user, to resume them in any browser
         * @description Requires a signed-in user. Scope of tokens: `shares:write`.
         */
        get: operations["listUnfinishedUploads"];
        put?: never;
        /**
         * tus: create an upload (metadata shareId, filename, filetype, relativePath)
         * @description Requires the owner of the share: its user, or the browser that created it. Scope of tokens: `shares:write`.
         */
        post: operations["createUpload"];
        delete?: never;
        /**
         * tus: get versions, extensions and limits
         * @description Open to anyone. Any token will do.
         */
        options: operations["describeUploads"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/uploads/{uploadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * tus: send PATCH, DELETE or HEAD with X-HTTP-Method-Override
         * @description The unguessable URL of the upload is the permission. Any token will do.
         */
        post: operations["overrideUploadMethod"];
        /**
         * tus: terminate an upload
         * @description The unguessable URL of the upload is the permission. Any token will do.
         */
        delete: operations["terminateUpload"];
        options?: never;
        /**
         * tus: get the offset of an upload, and in Upload-Checksum the CRC-32 of the bytes before
         * @description The unguessable URL of the upload is the permission. Any token will do.
         */
        head: operations["inspectUpload"];
        /**
         * tus: append bytes at the offset (application/offset+octet-stream)
         * @description The unguessable URL of the upload is the permission. Any token will do.
         */
        patch: operations["appendToUpload"];
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List accounts, oldest first; X-Total-Count is the number of matches
         * @description Requires an administrator. Scope of tokens: `admin:read`.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create an account; without a password, its user gets an email with a link to set one
         * @description Requires an administrator. Scope of tokens: `admin:users`.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an account and its shares
         * @description Requires an administrator. Scope of tokens: `admin:users`.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Change an account; a new password or the loss of administrator rights ends its sessions
         * @description Requires an administrator. Scope of tokens: `admin:users`.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/api/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the signed-in user; empty for a visitor where anonymous shares are allowed
         * @description Requires a signed-in user. Scope of tokens: `account:read`.
         */
        get: operations["getOwnUser"];
        put?: never;
        post?: never;
        /**
         * Delete your account and its shares
         * @description Requires a signed-in user. No token may call it.
         */
        delete: operations["deleteOwnUser"];
        options?: never;
        head?: never;
        /**
         * Change your username, your email address or who sees your name; a new address requires the password
         * @description Requires a signed-in user. No token may call it.
         */
        patch: operations["updateOwnUser"];
        trace?: never;
    };
    "/api/users/me/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download what is stored of your account as JSON: `data` has the rows of each table, without hashes, keys and secrets. Files are not in it
         * @description Requires a signed-in user. No token may call it.
         */
        get: operations["exportOwnData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me/emailVerification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the link again that confirms your email address; nothing happens where it is not required
         * @description Requires a signed-in user. No token may call it.
         */
        post: operations["requestEmailVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me/storage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the storage use and the remaining storage of the signed-in user
         * @description Requires a signed-in user. Scope of tokens: `account:read`.
         */
        get: operations["getOwnStorage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/storage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the storage use of these users (at most 100, separated by commas)
         * @description Requires an administrator. Scope of tokens: `admin:read`.
         */
        get: operations["listStorageUse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your webhooks
         * @description Requires a signed-in user. Scope of tokens: `webhooks:write`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Have an address told of events (Standard Webhooks); the secret is in this response alone
         * @description Requires a signed-in user. Scope of tokens: `webhooks:write`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a webhook with its log
         * @description Requires a signed-in user. Scope of tokens: `webhooks:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change the address, events or format of a webhook, or turn it on or off
         * @description Requires a signed-in user. Scope of tokens: `webhooks:write`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the latest deliveries of a webhook, at most 100
         * @description Requires a signed-in user. Scope of tokens: `webhooks:write`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again, with the same id
         * @description Requires a signed-in user. Scope of tokens: `webhooks:write`.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send all deliveries again that were made since a time
         * @description Requires a signed-in user. Scope of tokens: `webhooks:write`.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a webhook; for a day, messages are signed with both
         * @description Requires a signed-in user. Scope of tokens: `webhooks:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the event `test` at once, and get how it went
         * @description Requires a signed-in user. Scope of tokens: `webhooks:write`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/delete/{id}/{secret}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * As `deleteByLink`, for clients that only send POST
         * @description The secret in the address is the permission. Any token will do.
         */
        post: operations["confirmDeleteByLink"];
        /**
         * Delete the share whose `deleteUrl` this is
         * @description The secret in the address is the permission. Any token will do.
         */
        delete: operations["deleteByLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Share the files of a form (`multipart/form-data`, fields `file`), for ShareX and HTML forms. Fields ahead of them say how, named like the headers of `putFile` without `X-`
         * @description Requires a signed-in user. Scope of tokens: `shares:write`.
         */
        post: operations["postForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/up/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Share one file in one request: the body is the file, the response its link, or JSON where `Accept` asks for it. X-Expires, X-Password, X-Max-Views, X-Name, X-Description, X-Share-Id and X-Recipients say how
         * @description Requires a signed-in user. Scope of tokens: `shares:write`.
         */
        put: operations["putFile"];
        /**
         * As `putFile`, for clients that only send POST
         * @description Requires a signed-in user. Scope of tokens: `shares:write`.
         */
        post: operations["postFile"];
        delete?: never;
        /**
         * What a resumable upload may be (draft-ietf-httpbis-resumable-upload): send `Upload-Complete` with `putFile` to make one, whose address comes with 104 and 201
         * @description Open to anyone. Any token will do.
         */
        options: operations["describeResumable"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/up/uploads/{uploadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Give up a resumable upload, and its share
         * @description The unguessable URL of the upload is the permission. Scope of tokens: `shares:write`.
         */
        delete: operations["terminateResumable"];
        options?: never;
        /**
         * Tell how far a resumable upload is, and its link once it is shared
         * @description The unguessable URL of the upload is the permission. Scope of tokens: `shares:write`.
         */
        head: operations["inspectResumable"];
        /**
         * Append bytes at `Upload-Offset` (`application/partial-upload`); with `Upload-Complete: ?1` the share is made and the response is that of `putFile`
         * @description The unguessable URL of the upload is the permission. Scope of tokens: `shares:write`.
         */
        patch: operations["appendResumable"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AdminConfigVariable: {
            allowEdit: boolean;
            defaultValue: string;
            key: string;
            name: string;
            obscured: boolean;
            secret: boolean;
            /** @enum {string} */
            type: "string" | "text" | "number" | "boolean";
            updatedAt: string | null;
            value: string | null;
        };
        AdminShare: {
            createdAt: string;
            creator?: {
                username: string;
            };
            description: string | null;
            /** @constant */
            encrypted?: true;
            expiration: string;
            id: string;
            keptUntil?: string;
            name: string | null;
            size: number;
            /** @enum {string} */
            state: "open" | "uploading" | "completed" | "reopened";
            /** @constant */
            viaReverseShare?: true;
            views: number;
            /** @constant */
            waitsForScan?: true;
        };
        ArchiveSelection: {
            selection: string;
        };
        AuditEntry: {
            action: string;
            actor: {
                address: string;
                id: string | null;
                name: string | null;
                userAgent: string;
            };
            /** Format: date-time */
            at: string;
            details: {
                [key: string]: string;
            };
            /** Format: uuid */
            id: string;
            target: {
                id: string | null;
                name: string | null;
                type: string;
            } | null;
        };
        BatchResponse: {
            refused: {
                error: string;
                id: string;
                name: string;
            }[];
        };
        ChunkResponse: {
            id: string;
            name: string;
        };
        ComingFile: {
            name: string;
            received: string;
            size: string;
        };
        ComingFiles: {
            fileCount: number;
            files: components["schemas"]["ComingFile"][];
            received: number;
            size: number;
        };
        CompletedShare: {
            description: string | null;
            expiration: string;
            id: string;
            name: string | null;
            notifyReverseShareCreator?: boolean;
            /** @constant */
            waitsForScan?: true;
        };
        ConfigVariable: {
            defaultValue: string;
            key: string;
            /** @enum {string} */
            type: "string" | "text" | "number" | "boolean";
            value: string;
        };
        CreatedReverseShare: {
            link: string;
            token: string;
        };
        Error: {
            code: string;
            /** @constant */
            encrypted?: true;
            error?: string;
            message: string | string[];
            statusCode: number;
        };
        FailedJob: {
            attempts: number;
            /** Format: date-time */
            failedAt: string;
            id: string;
            name: string;
            reason: string;
        };
        FileScan: {
            /** @enum {string} */
            state: "clean" | "infected" | "too_big" | "not_scanned" | "failed";
            threat?: string;
        };
        HourCount: {
            count: number;
            /** Format: date-time */
            hour: string;
        };
        LoginToken: {
            loginToken: string;
        };
        Overview: {
            antivirus?: components["schemas"]["ScanReport"] | null;
            audit: components["schemas"]["AuditEntry"][];
            days: {
                /** Format: date */
                day: string;
                shares: number;
                storageBytes: number;
                users: number;
            }[];
            jobs: {
                counts: {
                    active: number;
                    delayed: number;
                    failed: number;
                    name: string;
                    waiting: number;
                }[];
                failed: components["schemas"]["FailedJob"][];
            } | null;
            now: {
                shares: number | null;
                storageBytes: number | null;
                users: number | null;
            };
        };
        OwnReverseShare: {
            askSenderName: boolean;
            createdAt: string;
            hasPassword: boolean;
            id: string;
            maxShareSize: string;
            name: string | null;
            publicAccess: boolean;
            receiver?: components["schemas"]["ReceiverOutput"];
            remainingUses: number;
            sendEmailNotification: boolean;
            shareExpiration: string;
            shares: components["schemas"]["ReceivedShare"][];
            simplified: boolean;
            token: string;
        };
        OwnShare: {
            coming?: components["schemas"]["ComingFiles"];
            createdAt: string;
            creator?: {
                username: string;
            };
            description: string | null;
            /** @constant */
            encrypted?: true;
            expiration: string;
            files: components["schemas"]["SharedFile"][];
            hasPassword: boolean;
            id: string;
            isOwn?: boolean;
            keptUntil?: string;
            name: string | null;
            notifyOnDownload: boolean;
            recipients: string[];
            reverseShare?: {
                id: string;
                publicAccess: boolean;
            };
            security: {
                maxViews: number | null;
                passwordProtected: boolean;
                /** @constant */
                restrictToRecipients?: true;
            };
            senderName?: string;
            size: number;
            /** @enum {string} */
            state: "open" | "uploading" | "completed" | "reopened";
            views: number;
            /** @constant */
            waitsForScan?: true;
        };
        Passkey: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            isSynced: boolean;
            lastUsedAt: string | null;
            mayBeCopied: boolean;
            name: string;
        };
        PasskeyOptions: {
            challenge: string;
        } & {
            [key: string]: unknown;
        };
        ReceivedShare: {
            createdAt: string;
            creator?: {
                username: string;
            };
            description: string | null;
            expiration: string;
            fileCount: number;
            hasPassword: boolean;
            id: string;
            keptUntil?: string;
            name: string | null;
            sealedKey?: string;
            senderName?: string;
            size: number;
            views: number;
            /** @constant */
            waitsForScan?: true;
        };
        Receiver: {
            locks: ({
                /** @enum {string} */
                by: "passphrase" | "recoveryCode";
                locked: string;
                salt: string;
            } | {
                /** @constant */
                by: "passkey";
                credential: string;
                locked: string;
                salt: string;
            })[];
            publicKey: string;
        };
        ReceiverOutput: {
            locks: ({
                /** @enum {string} */
                by: "passphrase" | "recoveryCode";
                locked: string;
                salt: string;
            } | {
                /** @constant */
                by: "passkey";
                credential: string;
                locked: string;
                salt: string;
            })[];
            publicKey: string;
        };
        Release: {
            url: string;
            version: string;
        };
        ReplayedWebhooks: {
            replayed: number;
        };
        ReverseShare: {
            askSenderName: boolean;
            hasPassword: boolean;
            id: string;
            isUnlocked: boolean;
            maxShareSize: string;
            name: string | null;
            publicKey?: string;
            remainingUses: number;
            shareExpiration: string;
            simplified: boolean;
            token: string;
        };
        ReverseShareTokenAvailability: {
            isAvailable: boolean;
        };
        ScanReport: {
            failed: number;
            infected: number;
            isReachable: boolean;
            latestInfectedAt: string | null;
            tooBig: number;
            waiting: number;
        };
        Session: {
            clientAddress: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            isCurrent: boolean;
            /** Format: date-time */
            lastUsedAt: string;
            userAgent: string;
        };
        Share: {
            coming?: components["schemas"]["ComingFiles"];
            creator?: {
                username: string;
            };
            description: string | null;
            /** @constant */
            encrypted?: true;
            expiration: string;
            files: components["schemas"]["SharedFile"][];
            hasPassword: boolean;
            id: string;
            isOwn?: boolean;
            name: string | null;
            size: number;
        };
        ShareActivity: {
            archive: {
                lastDownloadedAt: string | null;
                total: number;
            };
            /** Format: date-time */
            createdAt: string;
            downloads: {
                hours: components["schemas"]["HourCount"][];
                total: number;
            };
            /** @constant */
            encrypted?: true;
            files: {
                id: string;
                lastDownloadedAt: string | null;
                name: string;
                size: string;
                total: number;
            }[];
            id: string;
            name: string | null;
            views: {
                hours: components["schemas"]["HourCount"][];
                total: number;
            };
        };
        SharedFile: {
            id: string;
            name: string;
            scan?: components["schemas"]["FileScan"];
            sha256?: string;
            size: string;
            thumbnail?: {
                height: number;
                width: number;
            };
        };
        ShareIdAvailability: {
            isAvailable: boolean;
        };
        ShareMetaData: {
            id: string;
            isZipReady: boolean;
            progress?: number;
        };
        ShareReceipt: {
            description: string | null;
            expiration: string;
            id: string;
            name: string | null;
        };
        ShareToken: {
            token: string;
        };
        SignUpResponse: {
            accessToken: string;
            refreshToken: string;
            user: components["schemas"]["User"];
        };
        StorageStatus: {
            leftBytes: number | null;
            limitBytes: number | null;
            usedBytes: number;
        };
        StorageUse: {
            usedBytes: number;
            /** Format: uuid */
            userId: string;
        };
        Tokens: {
            accessToken: string;
            refreshToken: string;
        };
        TotpEnrolment: {
            qrCode: string;
            totpAuthUrl: string;
            totpSecret: string;
        };
        UnfinishedUpload: {
            createdAt: string;
            expiresAt: string;
            name: string;
            offsetBytes: number;
            relativePath: string | null;
            shareId: string;
            sizeBytes: number | null;
            url: string;
        };
        User: {
            email: string;
            /** @constant */
            hasPasskeys?: true;
            hasPassword?: boolean;
            /** Format: uuid */
            id: string;
            isAdmin: boolean;
            /** @constant */
            isLdap?: true;
            /** @constant */
            isWaiting?: true;
            /** @constant */
            mustSetUpSecondFactor?: true;
            /** @constant */
            mustVerifyEmail?: true;
            pendingEmail?: string;
            shareSizeLimit?: number | null;
            sharingExceptions?: {
                allowNeverExpires?: boolean;
                maxExpiration?: number;
                passwordRequired?: boolean;
                recipientsOnly?: boolean;
            };
            showName?: boolean;
            storageLimit?: number | null;
            totpVerified: boolean;
            username: string;
        };
        Webhook: {
            createdAt: string;
            disabledAt: string | null;
            disabledReason: ("owner" | "gone" | "failing") | null;
            events: ("share.completed" | "share.opened" | "share.downloaded" | "share.expired" | "share.deleted" | "request.received" | "upload.failed" | "file.infected" | "user.created" | "user.deleted" | "storage.almost_full" | "job.failed")[];
            /** @enum {string} */
            format: "standard" | "ntfy" | "discord" | "slack" | "matrix";
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            scope: "own" | "instance";
            url: string;
        };
        WebhookDelivery: {
            attempts: number;
            createdAt: string;
            event: string;
            /** Format: uuid */
            eventId: string;
            /** Format: uuid */
            id: string;
            lastAttempt: {
                at: string;
                error: string | null;
                milliseconds: number;
                response: string;
                status: number | null;
            } | null;
            nextAttemptAt: string | null;
            request: string;
            /** @enum {string} */
            state: "waiting" | "delivered" | "failed";
        };
        WebhookWithSecret: {
            createdAt: string;
            disabledAt: string | null;
            disabledReason: ("owner" | "gone" | "failing") | null;
            events: ("share.completed" | "share.opened" | "share.downloaded" | "share.expired" | "share.deleted" | "request.received" | "upload.failed" | "file.infected" | "user.created" | "user.deleted" | "storage.almost_full" | "job.failed")[];
            /** @enum {string} */
            format: "standard" | "ntfy" | "discord" | "slack" | "matrix";
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            scope: "own" | "instance";
            secret: string;
            url: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAudit: {
        parameters: {
            query?: {
                action?: "user.registered" | "user.created" | "user.updated" | "user.approved" | "user.promoted" | "user.demoted" | "user.password_set" | "user.unlocked" | "user.deleted" | "user.data_exported" | "sign_in.succeeded" | "sign_in.failed" | "password.changed" | "password.reset" | "totp.enabled" | "totp.disabled" | "totp.recovery_codes_created" | "passkey.added" | "passkey.removed" | "social.linked" | "social.unlinked" | "session.ended" | "session.all_ended" | "session.token_reused" | "token.created" | "token.revoked" | "share.opened" | "share.edited" | "share.deleted" | "file.infected" | "setting.changed" | "mail.tested" | "job.retried" | "audit.exported";
                actor?: string;
                from?: string;
                limit?: number;
                offset?: number;
                target?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntry"][];
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportAudit: {
        parameters: {
            query?: {
                action?: "user.registered" | "user.created" | "user.updated" | "user.approved" | "user.promoted" | "user.demoted" | "user.password_set" | "user.unlocked" | "user.deleted" | "user.data_exported" | "sign_in.succeeded" | "sign_in.failed" | "password.changed" | "password.reset" | "totp.enabled" | "totp.disabled" | "totp.recovery_codes_created" | "passkey.added" | "passkey.removed" | "social.linked" | "social.unlinked" | "session.ended" | "session.all_ended" | "session.token_reused" | "token.created" | "token.revoked" | "share.opened" | "share.edited" | "share.deleted" | "file.infected" | "setting.changed" | "mail.tested" | "job.retried" | "audit.exported";
                actor?: string;
                from?: string;
                target?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    retryJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `job_not_found`: Job not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `job_not_failed`: This job is no longer failed */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upstream_unavailable`: A service is not reachable */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLatestRelease: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        latest: components["schemas"]["Release"] | null;
                    };
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    tryDirectory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    username?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        email: string | null;
                        entry: string;
                        groups: string[];
                        isAdmin: boolean | null;
                    };
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `directory_check_incomplete`: The address, the search base or the password of the directory is missing
             *
             *     `directory_check_failed`: The directory could not be asked: {reason}
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `directory_nobody_found`: The directory finds nobody by this name, or more than one entry */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"][];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name: string;
                    passkey: {
                        authenticatorAttachment?: string;
                        clientExtensionResults: {
                            [key: string]: unknown;
                        };
                        /** Format: base64url */
                        id: string;
                        /** Format: base64url */
                        rawId: string;
                        response: {
                            /** Format: base64url */
                            attestationObject: string;
                            /** Format: base64url */
                            clientDataJSON: string;
                            transports?: string[];
                        };
                        /** @constant */
                        type: "public-key";
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        passkey: components["schemas"]["Passkey"];
                        recoveryCodes: string[] | null;
                    };
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `passkey_refused`: The passkey was not accepted
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `passkeys_unavailable`: Passkeys need the address of this site to be https, with a name
             *
             *     `too_many_passkeys`: No more than {count} passkeys
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `directory_unavailable`: The directory of accounts cannot be reached. Try again later */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                passkeyId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `passkey_not_found`: Passkey not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                passkeyId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             *
             *     `wrong_password`: Invalid password
             *
             *     `recent_sign_in_required`: Sign in again, then retry within five minutes
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `passkey_not_found`: Passkey not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    beginPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `wrong_password`: Invalid password
             *
             *     `recent_sign_in_required`: Sign in again, then retry within five minutes
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `passkeys_unavailable`: Passkeys need the address of this site to be https, with a name
             *
             *     `too_many_passkeys`: No more than {count} passkeys
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    oldPassword?: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        refreshToken: string;
                    };
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `password_too_short`: A password needs at least {length} characters
             *
             *     `password_too_common`: This password is too common
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `wrong_password`: Invalid password
             *
             *     `recent_sign_in_required`: Sign in again, then retry within five minutes
             *
             *     `directory_account`: This account is kept in a directory. Ask whoever runs it to change it there
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    password: string;
                    token: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            /** @description Success, without a body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `password_too_short`: A password needs at least {length} characters
             *
             *     `password_too_common`: This password is too common
             *
             *     `invalid_reset_token`: Token invalid or expired
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `account_waiting`: An administrator has to approve your account first */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                email: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `password_sign_in_disabled`: Sign in with one of the providers: passwords do not count here */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"][];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `session_not_found`: Session not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    email?: string;
                    password: string;
                    username?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"] | components["schemas"]["LoginToken"];
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_credentials`: Wrong email or password */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `directory_entry_incomplete`: The directory has no e-mail address for you. Ask whoever runs it
             *
             *     `password_sign_in_disabled`: Sign in with one of the providers: passwords do not count here
             *
             *     `account_waiting`: An administrator has to approve your account first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `directory_account_exists`: Another account has your name or address. Ask an administrator */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `directory_unavailable`: The directory of accounts cannot be reached. Try again later */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    signInPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    loginToken?: string;
                    passkey: {
                        authenticatorAttachment?: string;
                        clientExtensionResults: {
                            [key: string]: unknown;
                        };
                        /** Format: base64url */
                        id: string;
                        /** Format: base64url */
                        rawId: string;
                        response: {
                            /** Format: base64url */
                            authenticatorData: string;
                            /** Format: base64url */
                            clientDataJSON: string;
                            /** Format: base64url */
                            signature: string;
                            /** Format: base64url */
                            userHandle?: string;
                        };
                        /** @constant */
                        type: "public-key";
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `passkey_refused`: The passkey was not accepted
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unauthorized`: Unauthorized
             *
             *     `token_expired`: The login token has expired
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `password_sign_in_disabled`: Sign in with one of the providers: passwords do not count here
             *
             *     `account_waiting`: An administrator has to approve your account first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `passkeys_unavailable`: Passkeys need the address of this site to be https, with a name */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    requestPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    loginToken?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hasTotp: boolean;
                        options: components["schemas"]["PasskeyOptions"] | null;
                    };
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unauthorized`: Unauthorized
             *
             *     `token_expired`: The login token has expired
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `password_sign_in_disabled`: Sign in with one of the providers: passwords do not count here */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `passkeys_unavailable`: Passkeys need the address of this site to be https, with a name */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    signInTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    loginToken: string;
                    totp: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `totp_not_enabled`: TOTP is not enabled
             *
             *     `invalid_totp`: Invalid code
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unauthorized`: Unauthorized
             *
             *     `token_expired`: The login token has expired
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `account_waiting`: An administrator has to approve your account first */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, with or without a body */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        redirectURI: string;
                    };
                };
            };
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    password: string;
                    username: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignUpResponse"];
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `password_too_short`: A password needs at least {length} characters
             *
             *     `password_too_common`: This password is too common
             *
             *     `email_taken`: A user with this email already exists
             *
             *     `username_taken`: A user with this username already exists
             *
             *     `email_domain_refused`: Addresses of this domain are not accepted here
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `registration_disabled`: Registration is not allowed
             *
             *     `password_sign_in_disabled`: Sign in with one of the providers: passwords do not count here
             *
             *     `account_waiting`: An administrator has to approve your account first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    renewToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        accessToken: string;
                    };
                };
            };
            /** @description `unauthorized`: Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    disableTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    code: string;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `totp_not_enabled`: TOTP is not enabled
             *
             *     `invalid_totp`: Invalid code
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             *
             *     `wrong_password`: Invalid password
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    enableTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpEnrolment"];
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `totp_already_enabled`: TOTP is already enabled
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `wrong_password`: Invalid password
             *
             *     `recent_sign_in_required`: Sign in again, then retry within five minutes
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    code?: string;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        recoveryCodes: string[];
                    };
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `totp_not_enabled`: TOTP is not enabled
             *
             *     `invalid_totp`: Invalid code
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             *
             *     `wrong_password`: Invalid password
             *
             *     `recent_sign_in_required`: Sign in again, then retry within five minutes
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    verifyTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    code: string;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `totp_not_in_progress`: TOTP is not being set up
             *
             *     `invalid_totp`: Invalid code
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `wrong_password`: Invalid password
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    confirmEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `invalid_reset_token`: Token invalid or expired
             *
             *     `email_taken`: A user with this email already exists
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigVariable"][];
                };
            };
        };
    };
    updateConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    key: string;
                    value: string | number | boolean;
                }[];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminConfigVariable"][];
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `config_wrong_type`: Config variable {key} must be of type {type}
             *
             *     `config_out_of_range`: Config variable {key} is out of range
             *
             *     `config_needs_smtp`: Config variable {key} needs smtp.enabled
             *
             *     `config_needs_provider`: No provider that is switched on works: set one up and try it first
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `config_variable_not_found`: Config variable {key} not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `config_fixed`: Config variable {key} is set by the server's environment */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAdminConfig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                category: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminConfigVariable"][];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    finishSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default [] */
                    changes?: {
                        key: string;
                        value: string | number | boolean;
                    }[];
                };
            };
        };
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `config_wrong_type`: Config variable {key} must be of type {type}
             *
             *     `config_out_of_range`: Config variable {key} is out of range
             *
             *     `config_needs_smtp`: Config variable {key} needs smtp.enabled
             *
             *     `config_needs_provider`: No provider that is switched on works: set one up and try it first
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `config_variable_not_found`: Config variable {key} not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `config_fixed`: Config variable {key} is set by the server's environment */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        version: string;
                    };
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `logo_not_png`: The logo must be a PNG image
             *
             *     `logo_too_many_pixels`: The logo may be at most {edge} pixels wide and high
             *
             *     `logo_not_square`: The logo must be as wide as it is high
             *
             *     `logo_animated`: The logo must not be animated
             *
             *     `logo_damaged`: The logo is cut off or damaged
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `logo_too_big`: The logo may have at most {bytes} bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `pictures_unavailable`: Images cannot be processed at the moment */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setDarkLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        version: string;
                    };
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `logo_not_png`: The logo must be a PNG image
             *
             *     `logo_too_many_pixels`: The logo may be at most {edge} pixels wide and high
             *
             *     `logo_not_square`: The logo must be as wide as it is high
             *
             *     `logo_animated`: The logo must not be animated
             *
             *     `logo_damaged`: The logo is cut off or damaged
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `logo_too_big`: The logo may have at most {bytes} bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `pictures_unavailable`: Images cannot be processed at the moment */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeDarkLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    previewEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    message: string;
                    subject: string;
                    /** @enum {string} */
                    template: "shareRecipients" | "reverseShare" | "shareDownloadNotification" | "shareReminder" | "resetPassword" | "invite";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        html: string;
                        subject: string;
                    };
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendTestEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        reply: string;
                    };
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `smtp_disabled`: Sending e-mail is not enabled
             *
             *     `mail_test_failed`: The test message was not sent: {reason}
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    healthDetails: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        isReady: boolean;
                        isUp: boolean;
                        version: string;
                    };
                };
            };
        };
    };
    healthLive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    healthReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    beginSocialSignIn: {
        parameters: {
            query?: {
                redirect?: string;
            };
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `social_provider_disabled`: This sign-in method is not available
             *
             *     `cross_site_request`: Request came from another site
             *
             *     `directory_account`: This account is kept in a directory. Ask whoever runs it to change it there
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSocialProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ("github" | "google" | "microsoft" | "discord" | "oidc")[];
                };
            };
        };
    };
    finishSocialSignIn: {
        parameters: {
            query?: {
                code?: string;
                error?: string;
                state?: string;
            };
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `social_provider_disabled`: This sign-in method is not available */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    trySocialProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: "github" | "google" | "microsoft" | "discord" | "oidc";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        issuer: string;
                        signInPage: string;
                    };
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `social_check_incomplete`: The client ID, client secret or address of the provider is missing
             *
             *     `social_check_failed`: The provider could not be reached: {reason}
             *
             *     `social_client_rejected`: The provider rejected the client: {reason}
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDeviceRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        address: string;
                        clientName: string;
                        createdAt: string;
                        scopes: ("shares:read" | "shares:write" | "files:read" | "requests:read" | "requests:write" | "webhooks:write" | "account:read" | "admin:read" | "admin:users" | "admin:settings")[];
                        userCode: string;
                    };
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `device_code_not_found`: No request has this code, or not any more */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    decideDeviceRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userCode: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    approve: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             *
             *     `email_not_verified`: Open the link sent to your email address first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `device_code_not_found`: No request has this code, or not any more */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    authorizeDevice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    client_id: string;
                    client_name?: string;
                    /** @default shares:read shares:write files:read */
                    scope?: string;
                };
                "application/x-www-form-urlencoded": {
                    client_id: string;
                    client_name?: string;
                    /** @default shares:read shares:write files:read */
                    scope?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        device_code: string;
                        expires_in: number;
                        interval: number;
                        user_code: string;
                        verification_uri: string;
                        verification_uri_complete: string;
                    };
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `invalid_scope`: There are no such scopes: name some of {scopes}
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    redeemDeviceCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    client_id: string;
                    /** @default  */
                    device_code?: string;
                    grant_type: string;
                };
                "application/x-www-form-urlencoded": {
                    client_id: string;
                    /** @default  */
                    device_code?: string;
                    grant_type: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        access_token: string;
                        expires_in: number;
                        scope: string;
                        /** @constant */
                        token_type: "Bearer";
                    };
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `authorization_pending`: Nobody has decided yet
             *
             *     `slow_down`: Ask less often
             *
             *     `access_denied`: The request was refused
             *
             *     `expired_token`: The code has expired
             *
             *     `invalid_grant`: The code is not valid
             *
             *     `unsupported_grant_type`: The grant type has to be {type}
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_tokens`: There are {count} tokens already; revoke some */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    receiveLogoutToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    logout_token: string;
                };
                "application/x-www-form-urlencoded": {
                    logout_token: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `invalid_logout_token`: The logout token is not valid
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSocialLinks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: {
                            /** @enum {string} */
                            provider: "github" | "google" | "microsoft" | "discord" | "oidc";
                            providerUsername: string;
                        };
                    };
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    unlinkSocialAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    confirm?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `last_sign_in_method`: Without this account or a password, you could no longer sign in
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             *
             *     `social_provider_disabled`: This sign-in method is not available
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listOwnReverseShares: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnReverseShare"][];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createReverseShare: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default false */
                    askSenderName?: boolean;
                    maxShareSize: string;
                    maxUseCount: number;
                    name?: string;
                    password?: string;
                    /** @default true */
                    publicAccess?: boolean;
                    receiver?: components["schemas"]["Receiver"];
                    sendEmailNotification: boolean;
                    shareExpiration: string;
                    /** @default false */
                    simplified?: boolean;
                    token?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedReverseShare"];
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `share_expiration_too_long`: Expiration date exceeds maximum expiration date
             *
             *     `reverse_share_too_big`: Max share size exceeds the maximum size of a share
             *
             *     `reverse_share_token_taken`: Reverse share token already in use
             *
             *     `share_needs_end`: Shares here must end: choose when
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `email_not_verified`: Open the link sent to your email address first
             *
             *     `reverse_shares_disabled`: Reverse shares are switched off
             *
             *     `encryption_disabled`: Shares cannot be encrypted here
             *
             *     `encryption_required`: Shares have to be encrypted here
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReverseShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReverseShare"];
                };
            };
            /** @description `reverse_shares_disabled`: Reverse shares are switched off */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `reverse_share_not_found`: Reverse share not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteReverseShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `reverse_share_not_found`: Reverse share not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateReverseShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    askSenderName?: boolean;
                    maxShareSize?: string;
                    name?: ("" | string) | null;
                    password?: string | null;
                    publicAccess?: boolean;
                    remainingUses?: number;
                    sendEmailNotification?: boolean;
                    shareExpiration?: string;
                    simplified?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnReverseShare"];
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `share_expiration_too_long`: Expiration date exceeds maximum expiration date
             *
             *     `reverse_share_too_big`: Max share size exceeds the maximum size of a share
             *
             *     `share_needs_end`: Shares here must end: choose when
             *
             *     `reverse_share_must_be_private`: What is sent to you here is for you alone
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `reverse_share_not_found`: Reverse share not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    unlockReverseShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `reverse_shares_disabled`: Reverse shares are switched off
             *
             *     `reverse_share_password_required`: This reverse share is password protected
             *
             *     `wrong_password`: Invalid password
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `reverse_share_not_found`: Reverse share not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    isReverseShareTokenAvailable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReverseShareTokenAvailability"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listOwnShares: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnShare"][];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createShare: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    description?: string;
                    encrypted?: boolean;
                    expiration: string;
                    id: string;
                    name?: string;
                    notifyOnDownload?: boolean;
                    recipients: string[];
                    reverseShare?: string | null;
                    sealedKey?: string;
                    security?: {
                        maxViews?: number;
                        password?: string;
                        restrictToRecipients?: boolean;
                    } | null;
                    senderName?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareReceipt"];
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `share_id_taken`: Share id already in use
             *
             *     `share_expiration_too_long`: Expiration date exceeds maximum expiration date
             *
             *     `smtp_disabled`: Sending e-mail is not enabled
             *
             *     `share_needs_end`: Shares here must end: choose when
             *
             *     `share_needs_password`: Shares here need a password
             *
             *     `share_needs_recipients`: Shares here need recipients, and open for them alone
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `email_not_verified`: Open the link sent to your email address first
             *
             *     `encryption_disabled`: Shares cannot be encrypted here
             *
             *     `encryption_required`: Shares have to be encrypted here
             *
             *     `reverse_shares_disabled`: Reverse shares are switched off
             *
             *     `reverse_share_password_required`: This reverse share is password protected
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `reverse_share_not_found`: Reverse share not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `reverse_share_busy`: Too many shares are being sent through this reverse share
             *
             *     `too_many_empty_shares`: Too many unfinished shares without files. Add files to them or try again tomorrow
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Share"];
                };
            };
            /**
             * @description `share_recipient_required`: This share opens only for its recipients
             *
             *     `share_password_required`: This share is password protected
             *
             *     `share_token_required`: Share token required
             *
             *     `private_share`: This share is private
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_not_found`: Share not found
             *
             *     `share_removed`: Share removed
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `share_being_scanned`: The files of this share are being scanned for viruses. Try again later */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `share_anonymous_delete`: Anonymous shares can't be deleted
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `share_not_found`: Share not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    description?: string | null;
                    expiration?: string;
                    name?: ("" | string) | null;
                    notifyOnDownload?: boolean;
                    recipients?: string[];
                    security?: {
                        maxViews?: number | null;
                        password?: string;
                        removePassword?: boolean;
                        restrictToRecipients?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnShare"];
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `share_expiration_too_long`: Expiration date exceeds maximum expiration date
             *
             *     `smtp_disabled`: Sending e-mail is not enabled
             *
             *     `share_needs_end`: Shares here must end: choose when
             *
             *     `share_needs_password`: Shares here need a password
             *
             *     `share_needs_recipients`: Shares here need recipients, and open for them alone
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `share_not_found`: Share not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `share_encrypted`: The files and the password of an encrypted share cannot be changed */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    requestShareCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_not_found`: Share not found
             *
             *     `share_removed`: Share removed
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `share_being_scanned`: The files of this share are being scanned for viruses. Try again later */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    requestShareCodeByForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Success */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `share_not_found`: Share not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: request entity too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    completeShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    description?: string;
                    expiration?: string;
                    id?: string;
                    name?: string;
                    notifyOnDownload?: boolean;
                    recipients?: string[];
                    security?: {
                        maxViews?: number;
                        password?: string;
                        restrictToRecipients?: boolean;
                    } | null;
                    senderName?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompletedShare"];
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `share_id_taken`: Share id already in use
             *
             *     `share_expiration_too_long`: Expiration date exceeds maximum expiration date
             *
             *     `share_already_completed`: Share already completed
             *
             *     `share_without_files`: A share needs at least one file
             *
             *     `smtp_disabled`: Sending e-mail is not enabled
             *
             *     `share_needs_end`: Shares here must end: choose when
             *
             *     `share_needs_password`: Shares here need a password
             *
             *     `share_needs_recipients`: Shares here need recipients, and open for them alone
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `reverse_share_used_up`: This reverse share has no uses left
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `share_not_found`: Share not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    reopenShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareReceipt"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `encryption_required`: Shares have to be encrypted here
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `share_not_found`: Share not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `share_encrypted`: The files and the password of an encrypted share cannot be changed */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    discardEdit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareReceipt"];
                };
            };
            /** @description `share_never_completed`: Share was never completed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `share_not_found`: Share not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getShareAsOwner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnShare"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `share_not_found`: Share not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getShareMetaData: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareMetaData"];
                };
            };
            /**
             * @description `share_recipient_required`: This share opens only for its recipients
             *
             *     `share_password_required`: This share is password protected
             *
             *     `share_token_required`: Share token required
             *
             *     `private_share`: This share is private
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_not_found`: Share not found
             *
             *     `share_removed`: Share removed
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `share_being_scanned`: The files of this share are being scanned for viruses. Try again later */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    openShareByForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    code?: string;
                    /** Format: email */
                    email?: string;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `share_not_found`: Share not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: request entity too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    openShareAsAdministrator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareToken"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_not_found`: Share not found
             *
             *     `share_removed`: Share removed
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    openShareEarly: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    announced?: {
                        fileCount: number;
                        files: {
                            name: string;
                            size: number;
                        }[];
                        size: number;
                    };
                    description?: string;
                    expiration?: string;
                    id?: string;
                    name?: string;
                    notifyOnDownload?: boolean;
                    recipients?: string[];
                    security?: {
                        maxViews?: number;
                        password?: string;
                        restrictToRecipients?: boolean;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareReceipt"];
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `share_id_taken`: Share id already in use
             *
             *     `share_expiration_too_long`: Expiration date exceeds maximum expiration date
             *
             *     `share_already_completed`: Share already completed
             *
             *     `share_without_files`: A share needs at least one file
             *
             *     `smtp_disabled`: Sending e-mail is not enabled
             *
             *     `share_needs_end`: Shares here must end: choose when
             *
             *     `share_needs_password`: Shares here need a password
             *
             *     `share_needs_recipients`: Shares here need recipients, and open for them alone
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `share_not_found`: Share not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getShareActivity: {
        parameters: {
            query?: {
                file?: string | "zip";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareActivity"];
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_not_found`: Share not found
             *
             *     `file_not_found`: File not found
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    openShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    code?: string;
                    /** Format: email */
                    email?: string;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareToken"];
                };
            };
            /**
             * @description `share_recipient_required`: This share opens only for its recipients
             *
             *     `invalid_share_code`: This code is not valid
             *
             *     `share_password_required`: This share is password protected
             *
             *     `wrong_password`: Invalid password
             *
             *     `share_max_views_exceeded`: Maximum views exceeded
             *
             *     `private_share`: This share is private
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_not_found`: Share not found
             *
             *     `share_removed`: Share removed
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `share_being_scanned`: The files of this share are being scanned for viruses. Try again later */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    uploadChunk: {
        parameters: {
            query: {
                chunkIndex: string;
                id?: string;
                name: string;
                totalChunks: string;
            };
            header?: never;
            path: {
                shareId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChunkResponse"];
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `share_locked`: Share is already completed
             *
             *     `unexpected_chunk_index`: Unexpected chunk received
             *
             *     `invalid_file_id`: Invalid file ID format
             *
             *     `file_id_taken`: File id already in use
             *
             *     `file_name_too_long`: A file name can have at most 255 bytes of UTF-8
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `encryption_required`: Shares have to be encrypted here
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `share_not_found`: Share not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_too_large`: Max share size exceeded
             *
             *     `quota_exceeded`: Not enough storage is left for this account
             *
             *     `instance_quota_exceeded`: Not enough storage is left on this server
             *
             *     `chunk_too_large`: request entity too large
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadFile: {
        parameters: {
            query?: {
                download?: "true" | "false";
            };
            header?: never;
            path: {
                fileId: string;
                shareId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /**
             * @description `share_recipient_required`: This share opens only for its recipients
             *
             *     `share_password_required`: This share is password protected
             *
             *     `share_token_required`: Share token required
             *
             *     `share_max_views_exceeded`: Maximum views exceeded
             *
             *     `private_share`: This share is private
             *
             *     `file_infected`: This file was removed: it contains a virus
             *
             *     `file_too_big_to_scan`: This file is too big to be scanned for viruses, and cannot be downloaded
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_not_found`: Share not found
             *
             *     `share_removed`: Share removed
             *
             *     `file_not_found`: File not found
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `range_not_satisfiable`: Range not satisfiable */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_being_scanned`: The files of this share are being scanned for viruses. Try again later
             *
             *     `file_not_scanned`: This file is being scanned for viruses
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fileId: string;
                shareId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `share_locked`: Share is already completed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `encryption_required`: Shares have to be encrypted here
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_not_found`: Share not found
             *
             *     `file_not_found`: File not found
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getThumbnail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fileId: string;
                shareId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            /**
             * @description `share_recipient_required`: This share opens only for its recipients
             *
             *     `share_password_required`: This share is password protected
             *
             *     `share_token_required`: Share token required
             *
             *     `share_max_views_exceeded`: Maximum views exceeded
             *
             *     `private_share`: This share is private
             *
             *     `file_infected`: This file was removed: it contains a virus
             *
             *     `file_too_big_to_scan`: This file is too big to be scanned for viruses, and cannot be downloaded
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_not_found`: Share not found
             *
             *     `share_removed`: Share removed
             *
             *     `thumbnail_not_found`: This file has no thumbnail
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `range_not_satisfiable`: Range not satisfiable */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_being_scanned`: The files of this share are being scanned for viruses. Try again later
             *
             *     `file_not_scanned`: This file is being scanned for viruses
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    uploadBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                shareId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResponse"];
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `share_locked`: Share is already completed
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `encryption_required`: Shares have to be encrypted here
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `share_not_found`: Share not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: request entity too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upload_interrupted`: Another connection continued this upload */
            423: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_full`: Not enough space on the server */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    selectFiles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                shareId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    files: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArchiveSelection"];
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_recipient_required`: This share opens only for its recipients
             *
             *     `share_password_required`: This share is password protected
             *
             *     `share_token_required`: Share token required
             *
             *     `share_max_views_exceeded`: Maximum views exceeded
             *
             *     `private_share`: This share is private
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_not_found`: Share not found
             *
             *     `share_removed`: Share removed
             *
             *     `file_not_found`: File not found
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `share_being_scanned`: The files of this share are being scanned for viruses. Try again later */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadDigests: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                shareId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /**
             * @description `share_recipient_required`: This share opens only for its recipients
             *
             *     `share_password_required`: This share is password protected
             *
             *     `share_token_required`: Share token required
             *
             *     `share_max_views_exceeded`: Maximum views exceeded
             *
             *     `private_share`: This share is private
             *
             *     `file_infected`: This file was removed: it contains a virus
             *
             *     `file_too_big_to_scan`: This file is too big to be scanned for viruses, and cannot be downloaded
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_not_found`: Share not found
             *
             *     `share_removed`: Share removed
             *
             *     `file_not_found`: File not found
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `digests_not_ready`: The checksums are being computed */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `range_not_satisfiable`: Range not satisfiable */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_being_scanned`: The files of this share are being scanned for viruses. Try again later
             *
             *     `file_not_scanned`: This file is being scanned for viruses
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadArchive: {
        parameters: {
            query?: {
                folder?: string;
                selection?: string;
            };
            header?: never;
            path: {
                shareId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_recipient_required`: This share opens only for its recipients
             *
             *     `share_password_required`: This share is password protected
             *
             *     `share_token_required`: Share token required
             *
             *     `share_max_views_exceeded`: Maximum views exceeded
             *
             *     `private_share`: This share is private
             *
             *     `file_infected`: This file was removed: it contains a virus
             *
             *     `file_too_big_to_scan`: This file is too big to be scanned for viruses, and cannot be downloaded
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_not_found`: Share not found
             *
             *     `share_removed`: Share removed
             *
             *     `file_not_found`: File not found
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `range_not_satisfiable`: Range not satisfiable */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_being_scanned`: The files of this share are being scanned for viruses. Try again later
             *
             *     `file_not_scanned`: This file is being scanned for viruses
             *
             *     `archive_not_ready`: The archive is being prepared
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAllShares: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                order?: "asc" | "desc";
                search?: string;
                sort?: "createdAt" | "id" | "views" | "expiration";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminShare"][];
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    isShareIdAvailable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareIdAvailability"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: {
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        createdAt: string;
                        expiresAt: string | null;
                        /** Format: uuid */
                        id: string;
                        lastUse: {
                            address: string;
                            at: string;
                            userAgent: string;
                        } | null;
                        maxExpiration: string | null;
                        maxShareSize: number | null;
                        name: string;
                        networks: string[];
                        prefix: string;
                        scopes: ("shares:read" | "shares:write" | "files:read" | "requests:read" | "requests:write" | "webhooks:write" | "account:read" | "admin:read" | "admin:users" | "admin:settings")[];
                    }[];
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default 90-days */
                    expiresIn?: string;
                    maxExpiration?: string | null;
                    maxShareSize?: number | null;
                    name: string;
                    /** @default [] */
                    networks?: (string)[];
                    scopes: ("shares:read" | "shares:write" | "files:read" | "requests:read" | "requests:write" | "webhooks:write" | "account:read" | "admin:read" | "admin:users" | "admin:settings")[];
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        createdAt: string;
                        expiresAt: string | null;
                        /** Format: uuid */
                        id: string;
                        lastUse: {
                            address: string;
                            at: string;
                            userAgent: string;
                        } | null;
                        maxExpiration: string | null;
                        maxShareSize: number | null;
                        name: string;
                        networks: string[];
                        prefix: string;
                        scopes: ("shares:read" | "shares:write" | "files:read" | "requests:read" | "requests:write" | "webhooks:write" | "account:read" | "admin:read" | "admin:users" | "admin:settings")[];
                        token: string;
                    };
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_tokens`: There are {count} tokens already; revoke some */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `token_not_found`: Token not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listUnfinishedUploads: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnfinishedUpload"][];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `share_locked`: Share is already completed
             *
             *     `file_name_too_long`: A file name can have at most 255 bytes of UTF-8
             *
             *     `upload_checksum_unsupported`: Checksum algorithm is not supported
             *
             *     `upload_parts_unfinished`: Concatenation needs finished partial uploads
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `encryption_required`: Shares have to be encrypted here
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_not_found`: Share not found
             *
             *     `upload_not_found`: Upload not found
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `tus_version_unsupported`: Tus-Resumable: 1.0.0 is required */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `share_too_large`: Max share size exceeded
             *
             *     `quota_exceeded`: Not enough storage is left for this account
             *
             *     `instance_quota_exceeded`: Not enough storage is left on this server
             *
             *     `upload_length_exceeded`: More bytes than Upload-Length
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upload_interrupted`: Another connection continued this upload */
            423: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upload_checksum_mismatch`: Checksum mismatch */
            460: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_full`: Not enough space on the server */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    describeUploads: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    overrideUploadMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `upload_length_conflict`: Upload-Length is already set
             *
             *     `upload_checksum_unsupported`: Checksum algorithm is not supported
             *
             *     `share_locked`: Share is already completed
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `upload_is_final`: A final upload cannot be written to
             *
             *     `encryption_required`: Shares have to be encrypted here
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upload_not_found`: Upload not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upload_offset_conflict`: Upload-Offset does not match */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upload_gone`: Upload is gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `tus_version_unsupported`: Tus-Resumable: 1.0.0 is required */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `upload_length_exceeded`: More bytes than Upload-Length
             *
             *     `share_too_large`: Max share size exceeded
             *
             *     `quota_exceeded`: Not enough storage is left for this account
             *
             *     `instance_quota_exceeded`: Not enough storage is left on this server
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upload_interrupted`: Another connection continued this upload */
            423: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upload_checksum_mismatch`: Checksum mismatch */
            460: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_full`: Not enough space on the server */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    terminateUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `upload_not_found`: Upload not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upload_gone`: Upload is gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `tus_version_unsupported`: Tus-Resumable: 1.0.0 is required */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    inspectUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `share_locked`: Share is already completed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `encryption_required`: Shares have to be encrypted here */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upload_not_found`: Upload not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upload_gone`: Upload is gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `tus_version_unsupported`: Tus-Resumable: 1.0.0 is required */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upload_interrupted`: Another connection continued this upload */
            423: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    appendToUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `upload_length_conflict`: Upload-Length is already set
             *
             *     `upload_checksum_unsupported`: Checksum algorithm is not supported
             *
             *     `share_locked`: Share is already completed
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `upload_is_final`: A final upload cannot be written to
             *
             *     `encryption_required`: Shares have to be encrypted here
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upload_not_found`: Upload not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upload_offset_conflict`: Upload-Offset does not match */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upload_gone`: Upload is gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `tus_version_unsupported`: Tus-Resumable: 1.0.0 is required */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `upload_length_exceeded`: More bytes than Upload-Length
             *
             *     `share_too_large`: Max share size exceeded
             *
             *     `quota_exceeded`: Not enough storage is left for this account
             *
             *     `instance_quota_exceeded`: Not enough storage is left on this server
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upload_interrupted`: Another connection continued this upload */
            423: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upload_checksum_mismatch`: Checksum mismatch */
            460: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_full`: Not enough space on the server */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                order?: "asc" | "desc";
                search?: string;
                sort?: "createdAt" | "username" | "email";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"][];
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    /** @default false */
                    isAdmin?: boolean;
                    password?: string;
                    /** @default null */
                    shareSizeLimit?: number | null;
                    /** @default null */
                    storageLimit?: number | null;
                    username: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `password_too_short`: A password needs at least {length} characters
             *
             *     `password_too_common`: This password is too common
             *
             *     `email_taken`: A user with this email already exists
             *
             *     `username_taken`: A user with this username already exists
             *
             *     `smtp_disabled`: Sending e-mail is not enabled
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `user_not_found`: User not found
             *
             *     `last_admin`: The last administrator cannot be removed or demoted
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** Format: email */
                    email?: string;
                    isAdmin?: boolean;
                    /** @constant */
                    isWaiting?: false;
                    password?: string;
                    shareSizeLimit?: number | null;
                    sharingExceptions?: {
                        allowNeverExpires?: boolean;
                        maxExpiration?: number;
                        passwordRequired?: boolean;
                        recipientsOnly?: boolean;
                    };
                    storageLimit?: number | null;
                    username?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `password_too_short`: A password needs at least {length} characters
             *
             *     `password_too_common`: This password is too common
             *
             *     `user_not_found`: User not found
             *
             *     `email_taken`: A user with this email already exists
             *
             *     `username_taken`: A user with this username already exists
             *
             *     `last_admin`: The last administrator cannot be removed or demoted
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             *
             *     `directory_account`: This account is kept in a directory. Ask whoever runs it to change it there
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOwnUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteOwnUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description `last_admin`: The last administrator cannot be removed or demoted */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateOwnUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** Format: email */
                    email?: string;
                    password?: string;
                    showName?: boolean;
                    totp?: string;
                    username?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `email_taken`: A user with this email already exists
             *
             *     `username_taken`: A user with this username already exists
             *
             *     `totp_not_enabled`: TOTP is not enabled
             *
             *     `invalid_totp`: Invalid code
             *
             *     `email_domain_refused`: Addresses of this domain are not accepted here
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             *
             *     `wrong_password`: Invalid password
             *
             *     `recent_sign_in_required`: Sign in again, then retry within five minutes
             *
             *     `directory_account`: This account is kept in a directory. Ask whoever runs it to change it there
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportOwnData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    requestEmailVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `second_factor_required`: Set up a second factor first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_requests`: ThrottlerException: Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOwnStorage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageStatus"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listStorageUse: {
        parameters: {
            query?: {
                ids?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageUse"][];
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"][];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    events: ("share.completed" | "share.opened" | "share.downloaded" | "share.expired" | "share.deleted" | "request.received" | "upload.failed" | "file.infected" | "user.created" | "user.deleted" | "storage.almost_full" | "job.failed")[];
                    /**
                     * @default standard
                     * @enum {string}
                     */
                    format?: "standard" | "ntfy" | "discord" | "slack" | "matrix";
                    /**
                     * @default own
                     * @enum {string}
                     */
                    scope?: "own" | "instance";
                    url: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `webhook_address`: Nothing may be sent to this address
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_webhooks`: There are {count} webhooks already; delete some */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_not_found`: Webhook not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    enabled?: boolean;
                    events?: ("share.completed" | "share.opened" | "share.downloaded" | "share.expired" | "share.deleted" | "request.received" | "upload.failed" | "file.infected" | "user.created" | "user.deleted" | "storage.almost_full" | "job.failed")[];
                    /** @enum {string} */
                    format?: "standard" | "ntfy" | "discord" | "slack" | "matrix";
                    url?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `webhook_address`: Nothing may be sent to this address
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_not_found`: Webhook not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"][];
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_not_found`: Webhook not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deliveryId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `webhook_not_found`: Webhook not found
             *
             *     `webhook_delivery_not_found`: Delivery not found
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** Format: date-time */
                    since: string;
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayedWebhooks"];
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_not_found`: Webhook not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_not_found`: Webhook not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description `validation_failed`: The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_not_found`: Webhook not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    confirmDeleteByLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `share_not_found`: Share not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteByLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `share_not_found`: Share not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postForm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleteUrl: string;
                        expiration: string;
                        files: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            sha256: string | null;
                            size: number;
                        }[];
                        id: string;
                        url: string;
                    };
                    "text/plain": string;
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `share_expiration_too_long`: Expiration date exceeds maximum expiration date
             *
             *     `share_id_taken`: Share id already in use
             *
             *     `smtp_disabled`: Sending e-mail is not enabled
             *
             *     `share_needs_end`: Shares here must end: choose when
             *
             *     `share_needs_password`: Shares here need a password
             *
             *     `share_needs_recipients`: Shares here need recipients, and open for them alone
             *
             *     `file_name_too_long`: A file name can have at most 255 bytes of UTF-8
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `email_not_verified`: Open the link sent to your email address first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /** @description `too_many_empty_shares`: Too many unfinished shares without files. Add files to them or try again tomorrow */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /**
             * @description `share_too_large`: Max share size exceeded
             *
             *     `quota_exceeded`: Not enough storage is left for this account
             *
             *     `instance_quota_exceeded`: Not enough storage is left on this server
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /** @description `upload_interrupted`: Another connection continued this upload */
            423: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /** @description `storage_full`: Not enough space on the server */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
        };
    };
    putFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleteUrl: string;
                        expiration: string;
                        files: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            sha256: string | null;
                            size: number;
                        }[];
                        id: string;
                        url: string;
                    };
                    "text/plain": string;
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `share_expiration_too_long`: Expiration date exceeds maximum expiration date
             *
             *     `share_id_taken`: Share id already in use
             *
             *     `smtp_disabled`: Sending e-mail is not enabled
             *
             *     `share_needs_end`: Shares here must end: choose when
             *
             *     `share_needs_password`: Shares here need a password
             *
             *     `share_needs_recipients`: Shares here need recipients, and open for them alone
             *
             *     `file_name_too_long`: A file name can have at most 255 bytes of UTF-8
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `email_not_verified`: Open the link sent to your email address first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /** @description `too_many_empty_shares`: Too many unfinished shares without files. Add files to them or try again tomorrow */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /**
             * @description `share_too_large`: Max share size exceeded
             *
             *     `quota_exceeded`: Not enough storage is left for this account
             *
             *     `instance_quota_exceeded`: Not enough storage is left on this server
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /** @description `upload_interrupted`: Another connection continued this upload */
            423: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /** @description `storage_full`: Not enough space on the server */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
        };
    };
    postFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleteUrl: string;
                        expiration: string;
                        files: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            sha256: string | null;
                            size: number;
                        }[];
                        id: string;
                        url: string;
                    };
                    "text/plain": string;
                };
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `share_expiration_too_long`: Expiration date exceeds maximum expiration date
             *
             *     `share_id_taken`: Share id already in use
             *
             *     `smtp_disabled`: Sending e-mail is not enabled
             *
             *     `share_needs_end`: Shares here must end: choose when
             *
             *     `share_needs_password`: Shares here need a password
             *
             *     `share_needs_recipients`: Shares here need recipients, and open for them alone
             *
             *     `file_name_too_long`: A file name can have at most 255 bytes of UTF-8
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `email_not_verified`: Open the link sent to your email address first
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /** @description `too_many_empty_shares`: Too many unfinished shares without files. Add files to them or try again tomorrow */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /**
             * @description `share_too_large`: Max share size exceeded
             *
             *     `quota_exceeded`: Not enough storage is left for this account
             *
             *     `instance_quota_exceeded`: Not enough storage is left on this server
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /** @description `upload_interrupted`: Another connection continued this upload */
            423: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /** @description `storage_full`: Not enough space on the server */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
        };
    };
    describeResumable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    terminateResumable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `forbidden`: Forbidden resource */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /**
             * @description `share_not_found`: Share not found
             *
             *     `upload_not_found`: Upload not found
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
        };
    };
    inspectResumable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `share_locked`: Share is already completed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /** @description `encryption_required`: Shares have to be encrypted here */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /** @description `upload_not_found`: Upload not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /** @description `upload_gone`: Upload is gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
        };
    };
    appendResumable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleteUrl: string;
                        expiration: string;
                        files: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            sha256: string | null;
                            size: number;
                        }[];
                        id: string;
                        url: string;
                    };
                    "text/plain": string;
                };
            };
            /** @description Success, without a body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `validation_failed`: The request is not valid
             *
             *     `share_expiration_too_long`: Expiration date exceeds maximum expiration date
             *
             *     `share_id_taken`: Share id already in use
             *
             *     `smtp_disabled`: Sending e-mail is not enabled
             *
             *     `share_needs_end`: Shares here must end: choose when
             *
             *     `share_needs_password`: Shares here need a password
             *
             *     `share_needs_recipients`: Shares here need recipients, and open for them alone
             *
             *     `file_name_too_long`: A file name can have at most 255 bytes of UTF-8
             *
             *     `share_locked`: Share is already completed
             *
             *     `upload_length_conflict`: Upload-Length is already set
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /**
             * @description `forbidden`: Forbidden resource
             *
             *     `email_not_verified`: Open the link sent to your email address first
             *
             *     `encryption_required`: Shares have to be encrypted here
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /**
             * @description `share_not_found`: Share not found
             *
             *     `upload_not_found`: Upload not found
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /**
             * @description `too_many_empty_shares`: Too many unfinished shares without files. Add files to them or try again tomorrow
             *
             *     `upload_offset_conflict`: Upload-Offset does not match
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /** @description `upload_gone`: Upload is gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /**
             * @description `share_too_large`: Max share size exceeded
             *
             *     `quota_exceeded`: Not enough storage is left for this account
             *
             *     `instance_quota_exceeded`: Not enough storage is left on this server
             *
             *     `upload_length_exceeded`: More bytes than Upload-Length
             */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /** @description `upload_interrupted`: Another connection continued this upload */
            423: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
            /** @description `storage_full`: Not enough space on the server */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/plain": string;
                };
            };
        };
    };
}

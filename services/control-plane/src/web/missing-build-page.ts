/** The page of a server that was started without a built dashboard. */
export const MISSING_BUILD_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Verdict: the dashboard was not built</title>
<h1>The dashboard was not built</h1>
<p>The API answers under <code>/api/v1/</code>. To have the dashboard too, run <code>npm start</code>, which builds it, or
<code>pnpm build</code>, and start the control plane again.</p>
</html>
`;

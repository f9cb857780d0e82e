import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.keycloak.authentication.FormAction;
import org.keycloak.authentication.FormContext;
import org.keycloak.authentication.ValidationContext;
import org.keycloak.forms.login.LoginFormsProvider;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.models.utils.FormMessage;

/**
 * Keycloak: a form action of the registration flow. Keycloak validates before it creates the user, so a refusal leaves no row.
 * Social logins take the flow "First broker login", which has no registration form: they are not checked here.
 */
public class VerdictRegistration implements FormAction {
  private static final Logger LOG = Logger.getLogger(VerdictRegistration.class.getName());
  private static final Pattern DECISION = Pattern.compile("\"decision\"\\s*:\\s*\"([a-z]+)\"");
  private static final String MESSAGE = "This address cannot be used to sign up. Please use another one.";
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

  @Override
  public void validate(ValidationContext context) {
    String email = context.getHttpRequest().getDecodedFormParameters().getFirst("email");
    String ip = context.getConnection().getRemoteAddr();
    if (email == null || email.isBlank() || !"block".equals(decision(email.trim(), ip))) {
      context.success();
      return;
    }
    context.error("invalid_registration");
    List<FormMessage> errors = new ArrayList<>();
    errors.add(new FormMessage("email", MESSAGE));
    context.validationError(context.getHttpRequest().getDecodedFormParameters(), errors);
  }

  /** The decision of Verdict; "allow" when it cannot be asked, and the log says so. */
  private String decision(String email, String ip) {
    String body = "{\"email\":" + quoted(email) + ",\"ip\":" + quoted(ip) + "}";
    HttpRequest request = HttpRequest.newBuilder(URI.create(System.getenv("VERDICT_URL")).resolve("check/"))
        .timeout(Duration.ofSeconds(3))
        .header("Content-Type", "application/json")
        .header("X-API-Key", System.getenv("VERDICT_API_KEY"))
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
    try {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      Matcher found = DECISION.matcher(answer.body());
      if (answer.statusCode() == 200 && found.find()) return found.group(1);
      LOG.warning("Verdict answered with status " + answer.statusCode());
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
    } catch (Exception error) {
      LOG.warning("Verdict could not be asked: " + error);
    }
    return "allow";
  }

  private static String quoted(String text) {
    if (text == null) return "null";
    StringBuilder json = new StringBuilder("\"");
    for (char letter : text.toCharArray()) {
      if (letter == '"' || letter == '\\' || letter < ' ') json.append(String.format("\\u%04x", (int) letter));
      else json.append(letter);
    }
    return json.append('"').toString();
  }

  @Override
  public void buildPage(FormContext context, LoginFormsProvider form) {}

  @Override
  public void success(FormContext context) {}

  @Override
  public boolean requiresUser() {
    return false;
  }

  @Override
  public boolean configuredFor(KeycloakSession session, RealmModel realm, UserModel user) {
    return true;
  }

  @Override
  public void setRequiredActions(KeycloakSession session, RealmModel realm, UserModel user) {}

  @Override
  public void close() {}
}

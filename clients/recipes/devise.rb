# Devise: `class User < ApplicationRecord; devise :database_authenticatable, :registerable, :confirmable; include VerdictSignUp; end`
#
# A validation on create covers the form and OmniAuth alike, because both save the record; nothing is stored and no
# confirmation is mailed when it fails. Set `verdict_ip` from the controller (`request.remote_ip`) to send the IP.
require 'json'
require 'net/http'
require 'uri'

module VerdictSignUp
  MESSAGE = 'cannot be used to sign up. Please use another one.'.freeze
  OPEN_SECONDS = 1
  READ_SECONDS = 2

  def self.included(model)
    model.class_eval do
      attr_accessor :verdict_ip
      validate :verdict_allows_email, on: :create
    end
  end

  # The decision of Verdict; "allow" when it cannot be asked, and the log says so.
  def self.decision(email, ip)
    uri = URI.join(ENV.fetch('VERDICT_URL'), 'check/')
    request = Net::HTTP::Post.new(uri, 'Content-Type' => 'application/json', 'X-API-Key' => ENV.fetch('VERDICT_API_KEY'))
    request.body = JSON.generate(email: email, ip: ip)
    options = { use_ssl: uri.scheme == 'https', open_timeout: OPEN_SECONDS, read_timeout: READ_SECONDS }
    answer = Net::HTTP.start(uri.host, uri.port, **options) { |http| http.request(request) }
    raise "status #{answer.code}" unless answer.code == '200'

    JSON.parse(answer.body).fetch('decision')
  rescue StandardError => e
    warn "Verdict could not be asked: #{e.message}"
    'allow'
  end

  def verdict_allows_email
    return if email.nil? || email.empty? || errors.any?

    errors.add(:email, MESSAGE) if VerdictSignUp.decision(email, verdict_ip) == 'block'
  end
end

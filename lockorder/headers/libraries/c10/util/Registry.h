// Parse-only stand-in for PyTorch: c10/util/Registry.h.
#pragma once
#include <c10/macros/Macros.h>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>
namespace c10 {
enum RegistryPriority { REGISTRY_FALLBACK = 1, REGISTRY_DEFAULT = 2, REGISTRY_PREFERRED = 3 };
template <class K, class P, class... A> class Registry { public: typedef std::function<P(A...)> Creator; Registry(bool warning = true); void Register(const K& key, Creator creator, const RegistryPriority priority = REGISTRY_DEFAULT); bool Has(const K& key); P Create(const K& key, A... args); std::vector<K> Keys() const; };
template <class K, class P, class... A> class Registerer { public: explicit Registerer(const K& key, Registry<K, P, A...>* registry, typename Registry<K, P, A...>::Creator creator, const std::string& help_msg = ""); template <class D> static P DefaultCreator(A... args); };
}
#define C10_DECLARE_REGISTRY(RegistryName, ObjectType, ...) ::c10::Registry<std::string, std::unique_ptr<ObjectType>, ##__VA_ARGS__>* RegistryName()
#define C10_DEFINE_REGISTRY(RegistryName, ObjectType, ...) ::c10::Registry<std::string, std::unique_ptr<ObjectType>, ##__VA_ARGS__>* RegistryName() { static ::c10::Registry<std::string, std::unique_ptr<ObjectType>, ##__VA_ARGS__>* registry = new ::c10::Registry<std::string, std::unique_ptr<ObjectType>, ##__VA_ARGS__>(); return registry; }
#define C10_DEFINE_REGISTRY_WITHOUT_WARNING(RegistryName, ObjectType, ...) C10_DEFINE_REGISTRY(RegistryName, ObjectType, ##__VA_ARGS__)
#define C10_DECLARE_SHARED_REGISTRY(RegistryName, ObjectType, ...) ::c10::Registry<std::string, std::shared_ptr<ObjectType>, ##__VA_ARGS__>* RegistryName()
#define C10_DEFINE_SHARED_REGISTRY(RegistryName, ObjectType, ...) ::c10::Registry<std::string, std::shared_ptr<ObjectType>, ##__VA_ARGS__>* RegistryName() { static ::c10::Registry<std::string, std::shared_ptr<ObjectType>, ##__VA_ARGS__>* registry = new ::c10::Registry<std::string, std::shared_ptr<ObjectType>, ##__VA_ARGS__>(); return registry; }
#define C10_REGISTER_CREATOR(RegistryName, key, ...) static int C10_ANONYMOUS_VARIABLE(g_##RegistryName) = (RegistryName()->Register(#key, __VA_ARGS__), 0)
#define C10_REGISTER_CLASS(RegistryName, key, ...) static int C10_ANONYMOUS_VARIABLE(g_##RegistryName) = 0
#define C10_REGISTER_TYPED_CLASS(RegistryName, key, ...) static int C10_ANONYMOUS_VARIABLE(g_##RegistryName) = 0
#define C10_REGISTER_TYPED_CREATOR(RegistryName, key, ...) static int C10_ANONYMOUS_VARIABLE(g_##RegistryName) = 0
